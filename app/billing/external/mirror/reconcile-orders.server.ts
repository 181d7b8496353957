import { setImmediate } from "node:timers/promises"
import { BillingError } from "~/billing/billing"
import type { ExternalOrderStatus } from "~/billing/external/external-orders"
import type { OrderSync } from "~/billing/orders/order-sync"
import { type Instant, SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/order"
import { paidStatuses, payableStatuses, unpaidFinalStatuses } from "~/domain/order-status"
import { FAR_FUTURE, nextPollAt } from "~/domain/poll-schedule"
import { OPERATOR_REFERENCE } from "~/domain/timeline"
import type { MirrorContext } from "./context.server"
import type { ExternalOrderRow } from "./external-order-row"
import { recoverLostOrder } from "./find-external-order.server"
import { toExternalOrderRef } from "./order-mapping.server"

/** Cancels an order externally or marks it as fraud, if it was created. Its row then has the state `closed`. */
export async function closeExternalOrder(
  { store, externalBilling }: MirrorContext,
  order: Order,
): Promise<void> {
  const row = await store.externalOrder(order.id)
  if (row?.state !== "made") return
  // A renewal invoice is the external system's: it stays payable there, and by another order here.
  if (order.kind === "renewal") return store.closeExternalOrder(order.id)
  const external = toExternalOrderRef(order, row)
  await (order.status === "fraud"
    ? externalBilling.fraudOrder(external)
    : externalBilling.cancelOrder(external))
  await store.closeExternalOrder(order.id)
}

/**
 * Reconciles due orders with their external status, longest due first, at most `limit`. An order that is paid there
 * becomes paid, and what the shop's own gateways still receive for it is account credit; one they cancelled is cancelled
 * unless money was received. An order cancelled locally is closed externally if that failed before, and is paid after all if it was paid
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
    mirror.log.warn({ orderId: row.order_id, kind, reason }, "external billing: no response")
    return kind === "unavailable" ? { waitMs: (retryAfterSeconds ?? 0) * SECOND } : "same"
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
  const { local, externalBilling, store } = mirror
  const order = await local.billing.order(row.order_id)
  if (!order) return false
  await store.setPollAt([order.id], nextPollAt(order.placedAt, now))
  if (unpaidFinalStatuses.includes(order.status)) return ended(mirror, { order, row, now })
  const { state } = await externalBilling.orderStatus(toExternalOrderRef(order, row))
  const event = eventOf(order, state)
  if (!event || (event !== "paid" && order.received.minor > 0)) return false
  return applied(mirror, order, { state, event, now })
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
    const isRefused = error instanceof BillingError && error.kind === "refused"
    if (!isRefused || !(await isPaidThere(mirror, current))) throw error
    return applied(mirror, current, { state: "paid", event: "paid", now })
  }
}

async function isPaidThere({ store, externalBilling }: MirrorContext, order: Order): Promise<boolean> {
  const row = await store.externalOrder(order.id)
  if (!row) return false
  const { state } = await externalBilling.orderStatus(toExternalOrderRef(order, row))
  return eventOf(order, state) === "paid"
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
  const { local, log } = mirror
  const reference = state === "unknown" ? UNKNOWN_REFERENCE : referenceOf(mirror, event)
  const moved = await local.billing.applyOrderEvent(order.id, event, now, reference)
  const updated = { orderId: order.id, state, status: moved?.status }
  if (state === "unknown") log.warn(updated, "order unknown to external billing")
  else log.info(updated, "order updated from external billing")
  return moved?.status !== order.status
}

/** Cancels an order that can be paid here, without money, if it has ended there. Whether it has. */
export async function cancelIfEnded(
  mirror: MirrorContext,
  order: Order,
  state: ExternalOrderStatus["state"],
): Promise<boolean> {
  const isUnpaid = payableStatuses.includes(order.status) && order.received.minor === 0
  if (!isUnpaid || state === "open" || state === "paid") return false
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
