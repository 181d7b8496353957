import type {
  NewRefund,
  OrderRefund,
  Refundable,
  RefundedBefore,
  RefundResult,
} from "~/billing/orders/order-admin"
import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import { isResellerPlan } from "~/domain/orders/order"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import type { OrderRow } from "../db/schema/order-rows"
import type { InvoiceRow, OrderRefundRow } from "../db/schema/payment-rows"
import type { DbContext } from "../db/transaction.server"
import { correctInvoice } from "../documents/issue-documents.server"
import {
  giveAccountCredit,
  moveAccountCredit,
  refundedToCredit,
  returnAccountCredit,
  usedAccountCredit,
} from "../ledger/customer-credit.server"
import { insertOutsideEntry, outsideReceived } from "../ledger/ledger.server"
import { netOfRefunds, refundedWithoutPayment } from "../ledger/net-of-refunds.server"
import { paidByOperatorAt } from "../ledger/paid-by-operator.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { takeBackPlanCredits } from "../reseller-credits/refunded-plan.server"
import { recordCreditGranted } from "../webhooks/other-events.server"

/** An invoice with what decides about its refunds. */
export type RefundedInvoice = InvoiceRow & Pick<OrderRow, "kind" | "tax">

/**
 * The invoice of an order. An update that changes nothing locks it: of two refunds at once the second waits, and reads what the first
 * has left.
 */
export async function invoiceToRefund({ db }: DbContext, orderId: string): Promise<RefundedInvoice> {
  const invoice = await db
    .updateTable("invoices")
    .set((row) => ({ received: row.ref("received") }))
    .where("order_id", "=", orderId)
    .returningAll()
    .executeTakeFirstOrThrow()
  const order = await db
    .selectFrom("orders")
    .select(["kind", "tax"])
    .where("id", "=", orderId)
    .executeTakeFirstOrThrow()
  return { ...invoice, ...order }
}

/** Whether a refund without a payment has this key. */
export async function isRefundRecorded({ db }: DbContext, key: string): Promise<boolean> {
  const row = await db.selectFrom("order_refunds").select("id").where("id", "=", key).executeTakeFirst()
  return row !== undefined
}

/** Refunds of an order without a payment, oldest first. */
export async function orderRefundsOf({ db }: DbContext, orderId: string): Promise<readonly OrderRefund[]> {
  const rows = await db
    .selectFrom("order_refunds")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("at")
    .orderBy("id")
    .execute()
  return rows.map(({ target, amount, outside, currency, reason, at }) => ({
    target,
    amount: money(amount, currency),
    outside: money(outside, currency),
    reason,
    at,
  }))
}

/** All that was refunded of an order, or that a gateway is paying back. */
export async function refundedOf(ctx: DbContext, orderId: string): Promise<Money> {
  const { currency } = await ctx.db
    .selectFrom("invoices")
    .select("currency")
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow()
  return money(await refundedMinor(ctx, orderId), currency)
}

async function refundedMinor({ db }: DbContext, orderId: string): Promise<number> {
  const { ofPayments } = await db
    .selectFrom("payments")
    .innerJoin("invoices", "invoices.id", "payments.invoice_id")
    .select((row) => row.fn.sum<number | null>("payments.amount").as("ofPayments"))
    .where("invoices.order_id", "=", orderId)
    .where("payments.amount", "<", 0)
    .executeTakeFirstOrThrow()
  const { withoutPayment } = await db
    .selectFrom("order_refunds")
    .select((row) => row.fn.sum<number | null>("amount").as("withoutPayment"))
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow()
  const { onItsWay } = await db
    .selectFrom("gateway_refunds")
    .select((row) => row.fn.sum<number | null>("amount").as("onItsWay"))
    .where("order_id", "=", orderId)
    .where("state", "=", "waiting")
    .executeTakeFirstOrThrow()
  return Number(withoutPayment ?? 0) + Number(onItsWay ?? 0) - Number(ofPayments ?? 0)
}

/** Whether more is refunded of an order than when a refund was decided on, whose payments or invoice are locked. */
export async function isRefundedMeanwhile(
  ctx: DbContext,
  orderId: string,
  refundedBefore: RefundedBefore,
): Promise<boolean> {
  return refundedBefore !== undefined && (await refundedMinor(ctx, orderId)) > refundedBefore
}

/** What can be refunded of an order besides its payments: see `Refundable`. */
export async function refundableOf(ctx: DbContext, orderId: string): Promise<Refundable> {
  const invoice = await ctx.db
    .selectFrom("invoices")
    .innerJoin("orders", "orders.id", "invoices.order_id")
    .selectAll("invoices")
    .select(["orders.kind", "orders.tax"])
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow()
  const { credit, outside } = await leftOf(ctx, invoice)
  const { left } = await refundedToCredit(ctx, orderId)
  return {
    credit: money(credit, invoice.currency),
    outside: money(outside, invoice.currency),
    received: money(Math.max(0, invoice.received - left), invoice.currency),
  }
}

type Left = {
  /** Account credit that has paid the order. */
  readonly used: number
  readonly outside: number
  /** What may become account credit: of both, and of what gateways have received. */
  readonly credit: number
}

/**
 * What is left to refund of a paid order, in minor units. What did not apply any more has become account credit before, and is none
 * of it.
 */
async function leftOf(ctx: DbContext, invoice: RefundedInvoice): Promise<Left> {
  if (invoice.status !== "paid") return { used: 0, outside: 0, credit: 0 }
  const used = await usedAccountCredit(ctx, invoice.order_id)
  const outside = await outsideLeft(ctx, invoice, used)
  // All that was paid for it is account credit already.
  if (invoice.kind === "topup") return { used: 0, outside, credit: 0 }
  const net = await netOfRefunds(ctx, invoice)
  const received = Math.max(0, invoice.received - invoice.credited - used)
  const credit = ctx.isCreditExternal ? 0 : Math.min(used + outside + received, net)
  return { used: Math.min(used, net), outside: Math.min(outside, net), credit }
}

/** What the operator has received outside the gateways, when they marked the order as paid, and has not refunded. */
async function outsideLeft(ctx: DbContext, invoice: RefundedInvoice, used: number) {
  const { refunded, outside } = await refundedWithoutPayment(ctx, invoice.order_id)
  const entry = await outsideReceived(ctx, invoice.order_id)
  if (entry !== null) return Math.max(0, entry - outside)
  const { given } = await refundedToCredit(ctx, invoice.order_id)
  // Account credit that was given back had paid its part all the same.
  const received = await receivedBefore(ctx, invoice, used + refunded - outside - given)
  return Math.max(0, received - outside)
}

/** What was due of an order that an earlier version has marked as paid, which made no entry. `used`: account credit that it had used. */
async function receivedBefore(
  ctx: DbContext,
  { id, order_id, total }: RefundedInvoice,
  used: number,
): Promise<number> {
  const markedAt = await paidByOperatorAt(ctx, order_id)
  if (markedAt === null) return 0
  const { booked } = await ctx.db
    .selectFrom("payments")
    .select((row) => row.fn.sum<number | null>("amount").as("booked"))
    .where("invoice_id", "=", id)
    .where("booked_at", "<=", markedAt)
    .executeTakeFirstOrThrow()
  const { credited } = await ctx.db
    .selectFrom("credit_movements")
    .select((row) => row.fn.sum<number | null>("amount").as("credited"))
    .where("invoice_id", "=", id)
    // What was left of an order that had come to nothing came before, by whatever clock.
    .where((row) => row.or([row("at", "<", markedAt), row("cause", "=", "left")]))
    .where("cause", "not in", ["used", "returned"])
    .executeTakeFirstOrThrow()
  return total - (Number(booked ?? 0) - Number(credited ?? 0)) - used
}

type WithoutPayment = {
  readonly refund: NewRefund
  /** What can be refunded of a payment of the order, for the answer to one that is too much. */
  readonly most: number
  /** A gateway is paying back money of the order. */
  readonly isUnderWay: boolean
}

/** Records a refund as account credit, or of what no payment has received, in the current transaction. */
export async function refundWithoutPayment(
  ctx: DbContext,
  invoice: RefundedInvoice,
  asked: WithoutPayment,
): Promise<RefundResult> {
  const { refund } = asked
  if (refund.toCredit && ctx.isCreditExternal) return { kind: "elsewhere" }
  const left = await leftOf(ctx, invoice)
  if (refund.amount.currency !== invoice.currency || refund.amount.minor > mostIn(left, refund))
    return { kind: "too-much", received: money(mostToName(left, asked), invoice.currency) }
  const parts = partsOf(left, refund)
  if (parts.received > 0 && asked.isUnderWay) return { kind: "refund-under-way" }
  await moveMoney(ctx, invoice, { refund, parts })
  await ctx.db
    .insertInto("order_refunds")
    .values(rowOf(invoice, refund, parts.outside))
    .execute()
  await follow(ctx, invoice, refund)
  await takeBackCredits(ctx, invoice, refund.at)
  return { kind: "recorded", gateway: null }
}

function mostIn({ credit, outside }: Left, { toCredit }: NewRefund): number {
  return toCredit ? credit : outside
}

function mostToName(left: Left, { refund, most }: WithoutPayment): number {
  return refund.toCredit ? left.credit : Math.max(most, left.outside)
}

/** What a refund is of, in minor units. */
type Parts = Pick<Left, "used" | "outside"> & { readonly received: number }

/** As account credit goes what account credit has paid first, then what the operator has received, then what gateways have. */
function partsOf(left: Left, { toCredit, amount }: NewRefund): Parts {
  if (!toCredit) return { used: 0, outside: amount.minor, received: 0 }
  const used = Math.min(left.used, amount.minor)
  const outside = Math.min(left.outside, amount.minor - used)
  return { used, outside, received: amount.minor - used - outside }
}

/** Takes the credits of a reseller plan back after a refund that leaves nothing of what it was paid with, as that of a payment does. */
async function takeBackCredits(
  ctx: DbContext,
  { order_id, kind }: RefundedInvoice,
  at: Instant,
): Promise<void> {
  if (!isResellerPlan({ kind })) return
  const invoice = await ctx.db
    .selectFrom("invoices")
    .select(["order_id", "total", "received", "credited"])
    .where("order_id", "=", order_id)
    .executeTakeFirstOrThrow()
  if ((await netOfRefunds(ctx, invoice)) === 0) await takeBackPlanCredits(ctx, order_id, at)
}

type Moved = { readonly refund: NewRefund; readonly parts: Parts }

/** Gives account credit, or books what was paid back, and takes back what a top-up has bought, as a refund of its payment would. */
async function moveMoney(ctx: DbContext, invoice: RefundedInvoice, { refund, parts }: Moved): Promise<void> {
  const { amount, at, toCredit } = refund
  if (toCredit) return giveCredit(ctx, invoice, { refund, parts })
  await insertOutsideEntry(ctx, invoice.id, { amount: money(-amount.minor, amount.currency), at })
  if (invoice.kind === "topup")
    await moveAccountCredit(ctx, invoice, { minor: -amount.minor, cause: "topup", at })
}

/**
 * What came from elsewhere comes from no invoice: a payment of it that a gateway pays back has not received that money. What gateways have
 * received is taken back with it.
 */
async function giveCredit(
  ctx: DbContext,
  invoice: RefundedInvoice,
  { refund: { key, amount, reason, at }, parts: { used, outside, received } }: Moved,
): Promise<void> {
  const returned = used > 0 ? await returnAccountCredit(ctx, invoice, { at, limit: used }) : 0
  if (outside > 0)
    await giveAccountCredit(ctx, invoice.client_id, {
      key,
      amount: money(outside, amount.currency),
      reason,
      at,
      cause: "refunded",
    })
  const left = { ...invoice, credited: invoice.credited + returned }
  if (received > 0) await moveAccountCredit(ctx, left, { minor: received, cause: "refunded", at })
}

function rowOf(
  { order_id }: RefundedInvoice,
  { key, toCredit, amount, reason, at }: NewRefund,
  outside: number,
): OrderRefundRow {
  return {
    id: key,
    order_id,
    target: toCredit ? "credit" : "outside",
    amount: amount.minor,
    outside,
    currency: amount.currency,
    reason,
    at,
  }
}

/** The credit note, the timeline with its messages, and the event of account credit. */
async function follow(
  ctx: DbContext,
  { order_id: id, client_id, tax }: RefundedInvoice,
  { toCredit, amount, reason, at }: NewRefund,
): Promise<void> {
  const paidBack = money(-amount.minor, amount.currency)
  const payment = { by: toCredit ? "credit" : "other", at } as const
  await correctInvoice(ctx, { id, tax }, { minor: paidBack.minor, payment })
  const kind = toCredit ? "refunded-to-credit" : "refunded"
  await appendTimelineEvents(ctx, id, [
    { kind, at, amount: paidBack, reference: `${OPERATOR_REFERENCE}${reason}` },
  ])
  if (toCredit) await recordCreditGranted(ctx, client_id, { amount, at, orderId: id })
}
