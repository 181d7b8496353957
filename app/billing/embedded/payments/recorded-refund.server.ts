import type { NewRefund, RefundResult } from "~/billing/orders/order-admin"
import { money } from "~/domain/money/money"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import type { PaymentUpdate } from "~/domain/payments/payment"
import type { AttemptRow } from "../db/schema/payment-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { refundedToCredit } from "../ledger/customer-credit.server"
import {
  invoiceToRefund,
  isRefundedMeanwhile,
  isRefundRecorded,
  type RefundedInvoice,
  refundWithoutPayment,
} from "./order-refunds.server"
import { settlePayment } from "./settlement.server"

/**
 * Records a refund that an operator has made: see `OrderAdmin.recordRefund`. That of a payment is settled as a report of the gateway
 * would be: amounts are cumulative, so a later report of the same refund changes nothing.
 */
export async function recordRefund(
  ctx: DbContext,
  orderId: string,
  refund: NewRefund,
): Promise<RefundResult> {
  return inTransaction(ctx, async (tx) => {
    const attempts = await refundableAttempts(tx, orderId)
    if (attempts === null) return { kind: "no-such-order" }
    const invoice = await invoiceToRefund(tx, orderId)
    const repeated = await recordedWith(tx, attempts, refund)
    if (repeated) return { kind: "repeated", ...repeated }
    if (await isRefundedMeanwhile(tx, orderId, refund.refundedBefore)) return { kind: "changed" }
    return record(tx, { attempts, invoice, refund })
  })
}

type Recording = {
  readonly attempts: readonly AttemptRow[]
  readonly invoice: RefundedInvoice
  readonly refund: NewRefund
}

async function record(tx: DbContext, { attempts, invoice, refund }: Recording): Promise<RefundResult> {
  const most = await mostOf(tx, invoice.order_id, attempts)
  const attempt = attempts.find((it) => hasReceived(it, refund))
  return attempt && !refund.toCredit && refund.amount.minor <= most
    ? recordOf(tx, attempt, refund)
    : refundWithoutPayment(tx, invoice, { refund, most, isUnderWay: await isAnyUnderWay(tx, attempts) })
}

/** The most that a payment has received, without what a refund has given as account credit of the order's payments, in minor units. */
export async function mostOf(
  ctx: DbContext,
  orderId: string,
  attempts: readonly AttemptRow[],
): Promise<number> {
  const received = attempts.reduce((sum, it) => sum + it.received, 0)
  const { left } = await refundedToCredit(ctx, orderId)
  return Math.max(0, Math.min(attempts[0]?.received ?? 0, received - left))
}

async function isAnyUnderWay(ctx: DbContext, attempts: readonly AttemptRow[]): Promise<boolean> {
  for (const attempt of attempts) if (await hasRefundUnderWay(ctx, attempt)) return true
  return false
}

/** The refund that has this key. */
async function recordedWith(
  ctx: DbContext,
  attempts: readonly AttemptRow[],
  refund: NewRefund,
): Promise<Pick<AttemptRow, "gateway"> | { readonly gateway: null } | null> {
  if (await isRefundRecorded(ctx, refund.key)) return { gateway: null }
  const attempt = await attemptWith(ctx, attempts, refund)
  return attempt ? { gateway: attempt.gateway } : null
}

function hasReceived({ received, currency }: AttemptRow, { amount }: NewRefund): boolean {
  return received >= amount.minor && currency === amount.currency
}

async function recordOf(
  tx: DbContext,
  attempt: AttemptRow,
  { key, amount, at, reason }: NewRefund,
): Promise<RefundResult> {
  if (await hasRefundUnderWay(tx, attempt)) return { kind: "refund-under-way" }
  const { gateway, gross, received } = attempt
  // Of what is left, whichever way the gateway has reported former refunds.
  const update = refundUpdate(attempt, { key, refunded: gross - received + amount.minor })
  const reference = `${OPERATOR_REFERENCE}${reason}`
  await settlePayment(tx, { gateway, update, at, tolerance: 0, reference })
  return { kind: "recorded", gateway }
}

/**
 * Payments of an order that have received money, most first; null for an unknown order. An update that changes nothing locks them:
 * of two refunds at once the second waits, and reads what the first has left.
 */
export async function refundableAttempts(
  { db }: DbContext,
  orderId: string,
): Promise<readonly AttemptRow[] | null> {
  const order = await db.selectFrom("orders").select("id").where("id", "=", orderId).executeTakeFirst()
  if (!order) return null
  const attempts = await db
    .updateTable("payment_attempts")
    .set((row) => ({ received: row.ref("received") }))
    .where("order_id", "=", orderId)
    .where("gross", ">", 0)
    .returningAll()
    .execute()
  return attempts.toSorted((one, other) => other.received - one.received)
}

/** The payment whose refund has this key. */
async function attemptWith(
  { db }: DbContext,
  attempts: readonly AttemptRow[],
  { key }: NewRefund,
): Promise<AttemptRow | undefined> {
  if (attempts.length === 0) return undefined
  const ids = attempts.map(({ id }) => id)
  const event = await db
    .selectFrom("gateway_events")
    .select("attempt_id")
    .where("attempt_id", "in", ids)
    .where("event_key", "=", eventKeyOf(key))
    .executeTakeFirst()
  return attempts.find(({ id }) => id === event?.attempt_id)
}

/** Whether the gateway is paying back money of a payment: how much is left is known once it has. */
export async function hasRefundUnderWay({ db }: DbContext, { id }: Pick<AttemptRow, "id">): Promise<boolean> {
  const row = await db
    .selectFrom("gateway_refunds")
    .select("id")
    .where("attempt_id", "=", id)
    .where("state", "=", "waiting")
    .executeTakeFirst()
  return row !== undefined
}

/** The report of a refund. `refunded`: all that is refunded of the payment with it. */
export function refundUpdate(
  { id, gross, currency }: AttemptRow,
  { key, refunded }: { readonly key: string; readonly refunded: number },
): PaymentUpdate {
  return {
    eventKey: eventKeyOf(key),
    attemptId: id,
    status: "refunded",
    received: money(gross, currency),
    refunded: money(refunded, currency),
    transactionId: null,
  }
}

/** Beginning of the event keys of refunds that an operator has recorded: no gateway has reported them. */
export const RECORDED_REFUND = "refund by operator "

function eventKeyOf(key: string): string {
  return `${RECORDED_REFUND}${key}`
}
