import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import {
  isDeclinable,
  next,
  type OrderEvent,
  type OrderStatus,
  statusesBefore,
  unpaidFinalStatuses,
} from "~/domain/orders/order-status"
import { OPERATOR_REFERENCE, type TimelineKind } from "~/domain/orders/timeline"
import { redeemReleasedPromotion, releasePromotion } from "../catalogue/promotions.server"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { OrderRow } from "../db/schema/order-rows"
import type { InvoiceRow } from "../db/schema/payment-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { moveAccountCredit, returnAccountCredit } from "../ledger/customer-credit.server"
import { insertOutsidePayment } from "../ledger/ledger.server"
import { isRefundOnItsWay } from "../ledger/refund-on-its-way.server"
import { order } from "../orders/orders.server"
import { appendTimelineEvents, type NewTimelineEvent } from "../orders/timeline.server"
import { fulfil } from "./fulfilment.server"

/** Timeline event of each order event. */
const toResponse: Record<OrderEvent, TimelineKind> = {
  handedOff: "handed-off",
  partlyPaid: "partly-paid",
  paid: "paid",
  provisioned: "provisioned",
  declined: "cancelled",
  aborted: "cancelled",
  deadlinePassed: "expired",
  flagged: "flagged",
  released: "released",
}

type Happening = {
  readonly event: OrderEvent
  readonly at: Instant
  /** Reason or actor, shown to the operator only. */
  readonly reference?: string | null
}

/** Puts an unpaid order on hold as suspected fraud: see `FraudAndAffiliates.fraudOrder`. */
export async function flagOrder(
  ctx: DbContext,
  id: string,
  { reason, at }: { reason: string; at: Instant },
): Promise<void> {
  await applyOrderEvent(ctx, id, { event: "flagged", at, reference: reason })
}

/** Applies an order event with its consequences: see `Billing.applyOrderEvent`. */
export async function applyOrderEvent(
  ctx: DbContext,
  id: string,
  { event, at, reference = null }: Happening,
): Promise<Order | null> {
  return inTransaction(ctx, async (tx) => {
    if (event === "declined" && !(await isFree(tx, id))) return order(tx, id)
    if (isPaidOutside({ event, reference }) && (await isRefundOnItsWay(tx, id))) return order(tx, id)
    const moved = await applyTransition(tx, id, event)
    if (moved) await followUp(tx, id, { moved, event, at, reference })
    return order(tx, id)
  })
}

/** The operator has received what is due. While a gateway pays a part back, nobody knows how much that is. */
function isPaidOutside({ event, reference }: Pick<Happening, "event" | "reference">): boolean {
  return event === "paid" && reference?.startsWith(OPERATOR_REFERENCE) === true
}

async function isFree(tx: DbContext, id: string): Promise<boolean> {
  const found = await order(tx, id)
  return found !== null && isDeclinable(found)
}

async function followUp(
  ctx: DbContext,
  id: string,
  { moved, event, at, reference }: Happening & { moved: Transition },
): Promise<void> {
  const returned = unpaidFinalStatuses.includes(moved.to) ? await release(ctx, id, { event, at }) : []
  // Nothing is due any more: the money was received outside the gateways.
  if (isPaidOutside({ event, reference })) await insertOutsidePayment(ctx, id, at)
  const fulfilled = moved.to === "paid" ? await fulfil(ctx, id, at) : []
  // An order flagged again needs a new decision of the operator.
  if (event === "flagged")
    await ctx.db.updateTable("orders").set({ decision: null }).where("id", "=", id).execute()
  const timelineEvent = { kind: toResponse[event], at, reference: reference ?? null }
  await appendTimelineEvents(ctx, id, [
    ...latePaymentEvents(moved, at),
    timelineEvent,
    ...returned,
    ...fulfilled,
  ])
}

export type Transition = { readonly from: OrderStatus; readonly to: OrderStatus }

/**
 * Changes an order's status by the state table, in the current transaction; null if the table has no transition. A late
 * payment redeems the released promotion again. Throws `WriteConflictError` if another writer changed the status.
 */
export async function applyTransition(
  ctx: DbContext,
  id: string,
  event: OrderEvent,
): Promise<Transition | null> {
  const [only, ...others] = statusesBefore(event)
  // With one status before it, the update alone decides. No promotion is redeemed by such an event (`isLate`).
  if (only && others.length === 0) return applyOnly(ctx, id, { event, from: only })
  const row = await ctx.db
    .selectFrom("orders")
    .select(["id", "status", "promo_key"])
    .where("id", "=", id)
    .executeTakeFirst()
  return row ? applyToRead(ctx, row, event) : null
}

/** Does the same to an order that this transaction has read. */
export async function applyToRead(
  ctx: DbContext,
  { id, status: from, promo_key }: Pick<OrderRow, "id" | "status" | "promo_key">,
  event: OrderEvent,
): Promise<Transition | null> {
  const to = next(from, event)
  if (!to) return null
  const { numUpdatedRows } = await ctx.db
    .updateTable("orders")
    .set({ status: to })
    .where("id", "=", id)
    .where("status", "=", from)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WriteConflictError(`Order ${id}`)
  const move = { from, to }
  if (isLate(move) && promo_key) await redeemReleasedPromotion(ctx, { id, promo_key })
  return move
}

/** Applies an event that only orders in the status `from` can have. */
async function applyOnly(
  { db }: DbContext,
  id: string,
  { event, from }: { event: OrderEvent; from: OrderStatus },
): Promise<Transition | null> {
  const to = next(from, event)
  if (!to) return null
  const { numUpdatedRows } = await db
    .updateTable("orders")
    .set({ status: to })
    .where("id", "=", id)
    .where("status", "=", from)
    .executeTakeFirst()
  return numUpdatedRows === 0n ? null : { from, to }
}

/**
 * Pays an order immediately if nothing is left to pay: gateways reject a zero amount, so no payment update would ever
 * arrive. `left`: amount due in minor units. Returns the timeline events.
 */
export async function settleIfCovered(
  ctx: DbContext,
  orderId: string,
  { left, total, at }: { left: number; total: Money; at: Instant },
): Promise<NewTimelineEvent[]> {
  if (left !== 0) return []
  await applyTransition(ctx, orderId, "paid")
  const fulfilled = await fulfil(ctx, orderId, at)
  return [{ kind: "paid", at, amount: total }, ...fulfilled]
}

/**
 * Timeline event of a late payment: money for a cancelled or expired order is accepted and marked (specification, Payments).
 */
export function latePaymentEvents(move: Transition, at: Instant): NewTimelineEvent[] {
  return isLate(move) ? [{ kind: "late", at }] : []
}

function isLate({ from, to }: Transition): boolean {
  return unpaidFinalStatuses.includes(from) && to === "paid"
}

/**
 * Releases what a cancelled, expired or flagged order holds: cancels invoice and pending service, releases the
 * promotion and returns account credit. A partial payment of a cancelled order becomes account credit immediately;
 * that of an expired order stays on the invoice for `LATE_PAYMENT_GRACE`, and so does one that a gateway is paying back. Where the
 * credit is external, that of either stays there. Returns the timeline events.
 */
async function release(
  ctx: DbContext,
  orderId: string,
  { event, at }: Pick<Happening, "event" | "at">,
): Promise<NewTimelineEvent[]> {
  const { db } = ctx
  const invoice = await db
    .updateTable("invoices")
    .set({ status: "cancelled" })
    .where("order_id", "=", orderId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .updateTable("services")
    .set({ status: "Cancelled" })
    .where("order_id", "=", orderId)
    .where("status", "=", "Pending")
    .execute()
  const row = await db.selectFrom("orders").select("promo_key").where("id", "=", orderId).executeTakeFirst()
  if (row?.promo_key) await releasePromotion(ctx, row.promo_key, orderId)
  const minor = await returnAccountCredit(ctx, invoice, { at })
  const returned = { kind: "credit-returned" as const, at, amount: money(minor, invoice.currency) }
  const credited = invoice.credited + minor
  return [
    ...(minor === 0 ? [] : [returned]),
    ...(event === "aborted" ? await creditPartialPayment(ctx, { ...invoice, credited }, at) : []),
  ]
}

async function creditPartialPayment(
  ctx: DbContext,
  invoice: InvoiceRow,
  at: Instant,
): Promise<NewTimelineEvent[]> {
  const minor = invoice.received - invoice.credited
  if (minor <= 0 || ctx.isCreditExternal || (await isRefundOnItsWay(ctx, invoice.order_id))) return []
  await moveAccountCredit(ctx, invoice, { minor, cause: "left", at })
  return [{ kind: "part-credited", at, amount: money(minor, invoice.currency) }]
}
