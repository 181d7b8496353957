import { setImmediate } from "node:timers/promises"
import { BillingError, isRefusedByBilling } from "~/billing/billing"
import type { ExternalOrderStatus } from "~/billing/external/external-orders"
import type { OrderSync } from "~/billing/orders/order-sync"
import { type Instant, SECOND } from "~/domain/calendar"
import { toDecimal } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { paidStatuses, payableStatuses, unpaidFinalStatuses } from "~/domain/orders/order-status"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import { FAR_FUTURE, nextPollAt } from "~/domain/payments/poll-schedule"
import type { MirrorContext } from "./context.server"
import { known } from "./ensure-external-order.server"
import type { ExternalOrderRow } from "./external-order-row"
import { recoverLostOrder } from "./find-external-order.server"
import { toExternalOrderRef } from "./order-mapping.server"

/**
 * Cancels an order externally or marks it as fraud, if it was created. Its row then has the state `closed`, or `unknown` if the
 * external system has it no more.
 */
export async function closeExternalOrder(mirror: MirrorContext, order: Order): Promise<void> {
  const { store, externalBilling } = mirror
  const row = await store.externalOrder(order.id)
  if (row?.state !== "made") return
  // A renewal invoice is the external system's: it stays payable there, and by another order here.
  if (order.kind === "renewal") return store.closeExternalOrder(order.id, "closed")
  const external = toExternalOrderRef(await known(mirror, order.id), row)
  const closing = await (order.status === "fraud"
    ? externalBilling.fraudOrder(external)
    : externalBilling.cancelOrder(external))
  await store.closeExternalOrder(order.id, closing)
  // Without money nothing is lost: the order has ended at both.
  if (closing === "unknown" && order.received.minor > 0) warnOfUnknown(mirror, order)
}

function warnOfUnknown({ log }: MirrorContext, { id: orderId, status, received }: Order): void {
  log.warn({ orderId, status, received: toDecimal(received) }, "order unknown to external billing")
}

/**
 * Reconciles due orders with their external status, longest due first, at most `limit`. An order that is paid there
 * becomes paid, and what the shop's own gateways still receive for it is account credit; one they cancelled is cancelled
 * unless money was received, and one that the system has no more in any case: nobody can set it up. An order cancelled locally is closed externally if that failed before, and is paid after all if it was paid
 * there meanwhile. Returns the ids of the orders changed locally. Does nothing before the time that the system has asked for.
 */
export function externalReconciliation(mirror: MirrorContext): OrderSync["reconcileExternalOrders"] {
  let heldUntil: Instant = 0
  return async (now, limit) => {
    if (now < heldUntil) return []
    const { changed, waitMs } = await reconciled(mirror, now, limit)
    heldUntil = now + waitMs
    return changed
  }
}

async function reconciled(mirror: MirrorContext, now: Instant, limit: number) {
  const changed: string[] = []
  for (const row of await ordersToPoll(mirror, now, limit)) {
    const outcome = await tried(mirror, row, now)
    // An unavailable system is not called for the rest of the sweep.
    if (typeof outcome === "object") return { changed, ...outcome }
    if (outcome === "changed") changed.push(row.order_id)
  }
  return { changed, waitMs: 0 }
}

async function tried(mirror: MirrorContext, row: ExternalOrderRow, now: Instant) {
  try {
    return (await taken(mirror, row, now)) ? "changed" : "same"
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    const { kind, message: reason, retryAfterSeconds } = error
    const noted = { orderId: row.order_id, kind, reason }
    if (kind !== "unavailable") {
      mirror.log.warn(noted, "order not reconciled with external billing")
      return "same"
    }
    mirror.log.warn(noted, "external billing: no response")
    return { waitMs: (retryAfterSeconds ?? 0) * SECOND }
  }
}

async function ordersToPoll(
  mirror: MirrorContext,
  now: Instant,
  limit: number,
): Promise<readonly ExternalOrderRow[]> {
  return [...(await made(mirror, now, limit)), ...(await mirror.store.lostOrders(now, limit))].slice(0, limit)
}

/** Due orders that exist externally and are not paid. Paid orders are final: later sweeps skip them. */
async function made(
  { store }: MirrorContext,
  now: Instant,
  limit: number,
): Promise<readonly ExternalOrderRow[]> {
  for (;;) {
    const due = await store.ordersToPoll(now, limit)
    const done = due.filter(({ status }) => paidStatuses.includes(status)).map((row) => row.order_id)
    await store.setPollAt(done, FAR_FUTURE)
    const open = due.filter((row) => !done.includes(row.order_id))
    if (open.length > 0 || due.length < limit) return open
    await setImmediate()
  }
}

async function taken(mirror: MirrorContext, row: ExternalOrderRow, now: Instant): Promise<boolean> {
  const { local, store } = mirror
  const order = await local.billing.order(row.order_id)
  if (!order) return false
  await store.setPollAt([order.id], nextPollAt(order.placedAt, now))
  if (unpaidFinalStatuses.includes(order.status)) return ended(mirror, { order, row, now })
  const state = await stateThere(mirror, order, row)
  const event = eventOf(order, state)
  if (!event || !(event === "paid" || isOver(order, state))) return false
  return applied(mirror, order, { state, event, now })
}

/** An order with money that was cancelled there may still be paid and set up; one that is there no more cannot. */
function isOver({ received }: Order, state: ExternalOrderStatus["state"]): boolean {
  return state === "unknown" || received.minor === 0
}

type Ended = { readonly order: Order; readonly row: ExternalOrderRow; readonly now: Instant }

/** An order that ended unpaid here is closed there too. One that was paid there before that could be done is paid. */
async function ended(mirror: MirrorContext, { order, row, now }: Ended): Promise<boolean> {
  if (row.state === "wanted") await recoverLostOrder(mirror, order.id)
  const current = (await mirror.local.billing.order(order.id)) ?? order
  try {
    await closeExternalOrder(mirror, current)
    return false
  } catch (error) {
    const isRefused = isRefusedByBilling(error)
    if (!isRefused || !(await isPaidThere(mirror, current))) throw error
    return applied(mirror, current, { state: "paid", event: "paid", now })
  }
}

async function isPaidThere(mirror: MirrorContext, order: Order): Promise<boolean> {
  const row = await mirror.store.externalOrder(order.id)
  return row !== null && eventOf(order, await stateThere(mirror, order, row)) === "paid"
}

async function stateThere(mirror: MirrorContext, { id }: Order, row: ExternalOrderRow) {
  const { state } = await mirror.externalBilling.orderStatus(toExternalOrderRef(await known(mirror, id), row))
  return state
}

/** What the operator reads in the timeline of an order that was cancelled because the external system has it no more. */
const UNKNOWN_REFERENCE = "unknown to external billing"

type Applied = Pick<ExternalOrderStatus, "state"> & {
  readonly event: "paid" | "aborted"
  readonly now: Instant
}

async function applied(
  mirror: MirrorContext,
  order: Order,
  { state, event, now }: Applied,
): Promise<boolean> {
  const { local, log, store } = mirror
  const reference = state === "unknown" ? UNKNOWN_REFERENCE : referenceOf(mirror, event)
  const moved = (await local.billing.applyOrderEvent(order.id, event, now, reference)) ?? order
  const { id: orderId, status } = moved
  if (state === "unknown") {
    await store.closeExternalOrder(orderId, state)
    warnOfUnknown(mirror, moved)
  } else log.info({ orderId, state, status }, "order updated from external billing")
  return status !== order.status
}

/** Cancels an order that can be paid here if it has ended there and nothing more can come of it. Whether it has. */
export async function cancelIfEnded(
  mirror: MirrorContext,
  order: Order,
  state: ExternalOrderStatus["state"],
): Promise<boolean> {
  if (state === "open" || state === "paid") return false
  if (!payableStatuses.includes(order.status) || !isOver(order, state)) return false
  await applied(mirror, order, { state, event: "aborted", now: mirror.now() })
  return true
}

/**
 * Marks an order that is paid there as one that needs no payment of the shop's own gateways. If the system takes the payments itself, what
 * it reports later for an open one is the same money.
 */
function referenceOf({ externalBilling }: MirrorContext, event: "paid" | "aborted"): string | null {
  const isOtherMoney = event === "paid" && externalBilling.payments === null
  return isOtherMoney ? `${OPERATOR_REFERENCE}paid in external billing` : null
}

/**
 * What the status of an order there means for the local one. The invoice of a renewal or of a change of plan that was paid there
 * needs no payment here, and the external system has acted on it.
 */
function eventOf({ kind }: Order, state: ExternalOrderStatus["state"]): "paid" | "aborted" | null {
  if (state === "open") return null
  const isActedOn = kind === "renewal" || kind === "plan-change"
  return state === "paid" && !isActedOn ? "paid" : "aborted"
}
