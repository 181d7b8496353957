import type { ExpressionBuilder } from "kysely"
import type { NeedQuery } from "~/billing/console-overview"
import { money } from "~/domain/money/money"
import { PROVISIONED_WITHIN } from "~/domain/operators/alert-periods"
import { unpaidFinalStatuses } from "~/domain/orders/order-status"
import type { Tables } from "../../db/schema/schema"
import type { DbContext } from "../../db/transaction.server"
import { paidAtOfFew } from "../../orders/paid-at.server"
import { type FoundNeed, HELD_OF, LISTED } from "./found-need"

/** Paid orders whose service the panel has not created in time. */
export async function notProvisioned({ db }: DbContext, { now }: NeedQuery): Promise<readonly FoundNeed[]> {
  const rows = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .leftJoin("outbox", (join) =>
      join.onRef("outbox.subject", "=", "orders.service_id").on("outbox.topic", "=", "provision"),
    )
    .select(["orders.id", "invoices.paid_at", "invoices.total", "invoices.currency"])
    .select(["outbox.tries", "outbox.reason"])
    .where("orders.status", "=", "paid")
    .where(paidAtOfFew, "<=", now - PROVISIONED_WITHIN)
    .orderBy(paidAtOfFew)
    .limit(LISTED)
    .execute()
  return rows.map(({ id, paid_at, total, currency, tries, reason }) => ({
    key: `order ${id}`,
    kind: "not-provisioned",
    since: paid_at ?? now,
    orderId: id,
    amount: money(total, currency),
    detail: reason,
    count: tries ?? 0,
  }))
}

/** Orders on hold that nobody has decided about. */
export async function onHold({ db }: DbContext, { now }: NeedQuery): Promise<readonly FoundNeed[]> {
  const rows = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select(["orders.id", "orders.placed_at", "invoices.total", "invoices.currency"])
    .where("orders.status", "=", "fraud")
    .where("orders.placed_at", ">=", now - HELD_OF)
    .where("orders.decision", "is", null)
    .orderBy("orders.placed_at")
    .limit(LISTED)
    .execute()
  return rows.map(({ id, placed_at, total, currency }) => ({
    key: `order ${id}`,
    kind: "on-hold",
    since: placed_at,
    orderId: id,
    amount: money(total, currency),
    detail: null,
    count: 1,
  }))
}

/**
 * What was paid for an order that external billing has no more, as after it was restored from a backup, and that is never provisioned:
 * until it is refunded. What became account credit is the customer's.
 */
export async function unknownOrders({ db }: DbContext, { now }: NeedQuery): Promise<readonly FoundNeed[]> {
  const rows = await db
    .selectFrom("external_orders")
    .innerJoin("orders", "orders.id", "external_orders.order_id")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select(["orders.id", "orders.placed_at", "invoices.currency"])
    .select((row) => row("invoices.received", "-", row.ref("invoices.credited")).as("balance"))
    .select((row) => endOfOrder(row).as("ended_at"))
    .where("external_orders.state", "=", "unknown")
    .where("orders.status", "in", unpaidFinalStatuses)
    .where("orders.placed_at", ">=", now - HELD_OF)
    .whereRef("invoices.received", ">", "invoices.credited")
    .orderBy("orders.placed_at")
    .limit(LISTED)
    .execute()
  return rows.map(({ id, placed_at, currency, balance, ended_at }) => ({
    key: `order ${id}`,
    kind: "unknown-order",
    since: Number(ended_at ?? placed_at),
    orderId: id,
    amount: money(Number(balance), currency),
    detail: null,
    count: 1,
  }))
}

function endOfOrder({ selectFrom }: ExpressionBuilder<Tables, "orders">) {
  return selectFrom("order_events")
    .select((row) => row.fn.max("order_events.at").as("at"))
    .whereRef("order_events.order_id", "=", "orders.id")
    .where("order_events.kind", "in", ["cancelled", "expired", "flagged"])
}
