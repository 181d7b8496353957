import type { Tables } from "../db/schema/schema"

type Key<T extends keyof Tables> = readonly (keyof Tables[T] & string)[]

/** The key of every table, in an order in which each refers only to those before it. */
const keys: { readonly [T in keyof Tables]: Key<T> } = {
  products: ["id"],
  promotions: ["code_key"],
  clients: ["id"],
  credits: ["client_id", "currency"],
  credit_entries: ["id"],
  credit_balances: ["account"],
  orders: ["id"],
  external_orders: ["order_id"],
  order_lines: ["order_id", "position"],
  order_events: ["order_id", "position"],
  invoices: ["id"],
  credit_movements: ["id"],
  services: ["id"],
  payment_attempts: ["id"],
  gateway_events: ["gateway", "event_key"],
  payments: ["id"],
  unapplied_reports: ["gateway", "event_key"],
  refused_callbacks: ["gateway", "day", "reason"],
  affiliate_clicks: ["affiliate_id", "visitor", "day"],
  blocks: ["kind", "value"],
  outbox: ["id"],
  leases: ["name"],
  cursors: ["name"],
  ended_sessions: ["id"],
  unresolved_sign_ups: ["id"],
}

export type Table = { readonly name: string; readonly key: readonly string[] }

/** Every table the newest schema has. */
export const tables: readonly Table[] = Object.entries(keys).map(([name, key]) => ({ name, key }))

/** Counted for a quarter of an hour, and no part of the books: neither backed up nor put back. */
export const transientTables: readonly string[] = ["rate_limits"]

/** What a backup holds: all but who is at work right now. */
export const backedUpTables = tables.filter(({ name }) => name !== "leases")

/** Filled by a start on empty books, so that they tell nothing of whether there has been a shop. */
export const seededTables: readonly string[] = ["products", "promotions", "leases"]
