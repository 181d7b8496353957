import { paidStatuses } from "~/domain/orders/order-status"
import type { PriceMode } from "~/domain/tax/tax"
import type { Checked } from "./money-of-purchases"

/** The services with their terms, and the orders with what they have done, as they are stored. */
export type StoredSales = Awaited<ReturnType<typeof readSales>>

export async function readSales({ ctx: { db } }: Checked) {
  const [services, next, events, orders, lines, items, upsells, changes] = await Promise.all([
    db.selectFrom("services").selectAll().execute(),
    db.selectFrom("next_plans").selectAll().execute(),
    db.selectFrom("service_events").selectAll().orderBy("position").execute(),
    db
      .selectFrom("orders")
      .innerJoin("invoices", "invoices.order_id", "orders.id")
      .selectAll("orders")
      .select("total")
      .execute(),
    db.selectFrom("order_lines").selectAll().orderBy("position").execute(),
    db.selectFrom("renewal_items").selectAll().execute(),
    db.selectFrom("upsells").selectAll().execute(),
    db.selectFrom("plan_changes").selectAll().execute(),
  ])
  return { services, next, events, orders, lines, items, upsells, changes }
}

export type StoredOrder = StoredSales["orders"][number]
export type StoredService = StoredSales["services"][number]

/** The sales before and after something was done. */
export type Compared = {
  readonly before: StoredSales
  readonly after: StoredSales
  /** When it was begun, and what it was. */
  readonly begun: number
  readonly deed: string
  /** Whether the catalogue's prices contain the tax. */
  readonly prices: PriceMode
}

/** Orders that were paid in between. */
export function justPaid({ before, after }: Compared): readonly StoredOrder[] {
  const paidBefore = new Set(before.orders.filter(isPaid).map(({ id }) => id))
  return after.orders.filter((order) => isPaid(order) && !paidBefore.has(order.id))
}

function isPaid({ status }: StoredOrder): boolean {
  return paidStatuses.includes(status)
}

/** Orders that were placed in between. */
export function justPlaced({ before, after }: Compared): readonly StoredOrder[] {
  const known = new Set(before.orders.map(({ id }) => id))
  return after.orders.filter(({ id }) => !known.has(id))
}
