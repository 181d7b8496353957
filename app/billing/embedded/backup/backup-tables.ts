import type { Tables } from "../db/schema/schema"

type Key<T extends keyof Tables> = readonly (keyof Tables[T] & string)[]

/** Primary key of every table. The order satisfies foreign keys: a table refers only to tables before it. */
const keys: { readonly [T in keyof Tables]: Key<T> } = {
  products: ["id"],
  catalogue_versions: ["number"],
  tax_versions: ["number"],
  brand_versions: ["number"],
  brand_drafts: ["id"],
  promotions: ["code_key"],
  clients: ["id"],
  credits: ["client_id", "currency"],
  credit_entries: ["id"],
  credit_balances: ["account"],
  orders: ["id"],
  promotion_codes: ["code_key"],
  external_orders: ["order_id"],
  order_lines: ["order_id", "position"],
  order_events: ["order_id", "position"],
  invoices: ["id"],
  credit_movements: ["id"],
  services: ["id"],
  service_events: ["service_id", "position"],
  outages: ["part", "since"],
  dunning_brakes: ["id"],
  renewal_items: ["order_id", "service_id"],
  plan_changes: ["order_id"],
  upsells: ["order_id"],
  next_plans: ["service_id"],
  trial_claims: ["mark", "hash"],
  term_campaigns: ["id"],
  term_campaign_items: ["campaign_id", "service_id"],
  payment_attempts: ["id"],
  gateway_events: ["gateway", "event_key"],
  gateway_refunds: ["id"],
  order_refunds: ["id"],
  payments: ["id"],
  outside_payments: ["id"],
  document_numbers: ["kind", "year"],
  tax_documents: ["number"],
  unapplied_reports: ["gateway", "event_key"],
  unmatched_payments: ["id"],
  refused_callbacks: ["gateway", "day", "reason"],
  rejected_callbacks: ["id"],
  gateway_drains: ["gateway"],
  affiliate_clicks: ["affiliate_id", "visitor", "day"],
  purchase_steps: ["day", "step", "plan", "gateway", "locale"],
  blocks: ["kind", "value"],
  outbox: ["id"],
  leases: ["name"],
  cursors: ["name"],
  ended_sessions: ["id"],
  unresolved_sign_ups: ["id"],
  mails: ["id"],
  mail_suppressions: ["email_key", "scope"],
  sign_in_requests: ["id"],
  operators: ["id"],
  operator_recovery_codes: ["operator_id", "code_hash"],
  operator_sessions: ["id"],
  audit_log: ["position"],
  hourly_sums: ["hour", "figure", "currency"],
  taken_needs: ["need"],
  order_notes: ["id"],
  order_tags: ["order_id", "tag"],
  approvals: ["id"],
  bulk_runs: ["id"],
  price_moves: ["id"],
  bulk_items: ["run_id", "position"],
  email_changes: ["id"],
  former_emails: ["client_id", "email_key"],
  coin_references: ["attempt_id", "reference_key"],
  webhook_events: ["id"],
  event_streams: ["id"],
  webhook_endpoints: ["id"],
  webhook_deliveries: ["endpoint_id", "event_id"],
}

export type Table = { readonly name: string; readonly key: readonly string[] }

/** Every table of the latest schema, except `transientTables`. */
export const tables: readonly Table[] = Object.entries(keys).map(([name, key]) => ({ name, key }))

/** Rate-limit counters with a life of 15 minutes: neither backed up nor restored. */
export const transientTables: readonly string[] = ["rate_limits"]

/** Tables of a backup: all but the leases, which belong to running instances, and the stream of events, which a restore ends. */
export const backedUpTables = tables.filter(({ name }) => name !== "leases" && name !== "event_streams")

/**
 * Tables that start-up and background work fill in an empty database; rows in them do not show that it has been used. The
 * cursors of passes and outages are there after the first pass, the stream of events after the migrations. Sessions that have ended
 * are kept by a restore of an empty backup.
 */
export const seededTables: readonly string[] = [
  "products",
  "promotions",
  "leases",
  "cursors",
  "outages",
  "event_streams",
  "ended_sessions",
]
