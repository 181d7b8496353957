import { setImmediate } from "node:timers/promises"
import { BillingError } from "~/billing/billing"
import type { ExternalOrderRow } from "~/billing/embedded/db/schema/external-order-rows"
import type { Instant } from "~/domain/calendar"
import type { Order } from "~/domain/order"
import { paidStatuses, unpaidFinalStatuses } from "~/domain/order-status"
import { FAR_FUTURE, nextPollAt } from "~/domain/poll-schedule"
import type { MirrorContext } from "./context.server"
import { findOrderMapping } from "./ensure-external-order.server"
import { recoverLostOrder } from "./find-external-order.server"
import { toExternalOrderRef } from "./order-mapping.server"

/** Cancels an order externally or marks it as fraud, if it was created. Its row then has the state `closed`. */
export async function closeExternalOrder(
  { ctx, externalBilling }: MirrorContext,
  order: Order,
): Promise<void> {
  const row = await findOrderMapping(ctx, order.id)
  if (row?.state !== "made") return
  const external = toExternalOrderRef(order, row)
  await (order.status === "fraud"
    ? externalBilling.fraudOrder(external)
    : externalBilling.cancelOrder(external))
  await ctx.db
    .updateTable("external_orders")
    .set({ state: "closed" })
    .where("order_id", "=", order.id)
    .execute()
}

/**
 * Reconciles due orders with their external status, longest due first, at most `limit`. An order that staff marked as
 * paid becomes paid; one they cancelled is cancelled unless money was received. An order cancelled locally is closed
 * externally if that failed before. Returns the number of orders changed locally.
 */
export async function reconcileExternalOrders(
  mirror: MirrorContext,
  now: Instant,
  limit: number,
): Promise<number> {
  let changed = 0
  for (const row of await ordersToPoll(mirror, now, limit)) {
    const outcome = await tried(mirror, row, now)
    // An unavailable system is not called for the rest of the sweep.
    if (outcome === "unavailable") break
    if (outcome === "changed") changed++
  }
  return changed
}

async function tried(mirror: MirrorContext, row: ExternalOrderRow, now: Instant) {
  try {
    return (await taken(mirror, row, now)) ? "changed" : "same"
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    mirror.log.warn({ orderId: row.order_id, kind: error.kind }, "external billing: no response")
    return error.kind
  }
}

async function ordersToPoll(
  mirror: MirrorContext,
  now: Instant,
  limit: number,
): Promise<readonly ExternalOrderRow[]> {
  return [...(await made(mirror, now, limit)), ...(await lost(mirror, now, limit))].slice(0, limit)
}

/** Due orders that exist externally and are not paid. Paid orders are final: later sweeps skip them. */
async function made(
  { ctx: { db } }: MirrorContext,
  now: Instant,
  limit: number,
): Promise<readonly ExternalOrderRow[]> {
  for (;;) {
    const due = await dueRows(db, "made", now).select("orders.status").limit(limit).execute()
    const done = due.filter(({ status }) => paidStatuses.includes(status)).map((row) => row.order_id)
    if (done.length > 0)
      await db
        .updateTable("external_orders")
        .set({ poll_after: FAR_FUTURE })
        .where("order_id", "in", done)
        .execute()
    const open = due.filter((row) => !done.includes(row.order_id))
    if (open.length > 0 || due.length < limit) return open
    await setImmediate()
  }
}

/** Due orders that ended unpaid locally, and whose external creation started without a known result. */
function lost({ ctx: { db } }: MirrorContext, now: Instant, limit: number): Promise<ExternalOrderRow[]> {
  return dueRows(db, "wanted", now)
    .where("external_orders.tries", ">", 0)
    .where("orders.status", "in", unpaidFinalStatuses)
    .limit(limit)
    .execute()
}

function dueRows(db: MirrorContext["ctx"]["db"], state: ExternalOrderRow["state"], now: Instant) {
  return db
    .selectFrom("external_orders")
    .innerJoin("orders", "orders.id", "external_orders.order_id")
    .selectAll("external_orders")
    .where("external_orders.state", "=", state)
    .where("external_orders.poll_after", "<=", now)
    .orderBy("external_orders.poll_after")
}

async function taken(mirror: MirrorContext, row: ExternalOrderRow, now: Instant): Promise<boolean> {
  const { local, externalBilling, ctx } = mirror
  const order = await local.billing.order(row.order_id)
  if (!order) return false
  await ctx.db
    .updateTable("external_orders")
    .set({ poll_after: nextPollAt(order.placedAt, now) })
    .where("order_id", "=", order.id)
    .execute()
  if (unpaidFinalStatuses.includes(order.status)) {
    if (row.state === "wanted") await recoverLostOrder(mirror, order.id)
    await closeExternalOrder(mirror, (await local.billing.order(order.id)) ?? order)
    return false
  }
  const { state } = await externalBilling.orderStatus(toExternalOrderRef(order, row))
  const event = eventOf[state]
  if (!event || (event !== "paid" && order.received.minor > 0)) return false
  const moved = await local.billing.applyOrderEvent(order.id, event, now)
  mirror.log.info({ orderId: order.id, state, status: moved?.status }, "order updated from external billing")
  return moved?.status !== order.status
}

const eventOf = { open: null, paid: "paid", cancelled: "aborted", fraud: "aborted" } as const
