import type { OrderRepository } from "~/billing/orders/order-repository"
import type { Instant } from "~/domain/calendar"
import { type Money, money } from "~/domain/money/money"
import type { DbContext } from "../db/transaction.server"
import { refundedToCredit } from "./customer-credit.server"
import { outsideReceived } from "./ledger.server"
import { paidByOperatorAt } from "./paid-by-operator.server"

type PaidInvoice = {
  readonly order_id: string
  readonly total: number
  readonly received: number
  readonly credited: number
}

/** See `OrderRepository.netPaidOf`. */
export async function netPaidOf(
  ctx: DbContext,
  { id, total, received, credited }: Parameters<OrderRepository["netPaidOf"]>[0],
): Promise<Money> {
  const amounts = { total: total.minor, received: received.minor, credited: credited.minor }
  return money(await netOfRefunds(ctx, { order_id: id, ...amounts }), total.currency)
}

/** What an invoice was paid with, less refunds, in minor units: never more than its total. */
export async function netOfRefunds(
  ctx: DbContext,
  { order_id, total, received, credited }: PaidInvoice,
): Promise<number> {
  const net = inTotal(received - credited, total)
  const markedAt = net < total ? await paidByOperatorAt(ctx, order_id) : null
  if (markedAt === null) return net
  const entry = await outsideReceived(ctx, order_id)
  if (entry !== null) {
    const { outside } = await refundedWithoutPayment(ctx, order_id)
    return inTotal(received - credited + entry - outside, total)
  }
  // An earlier version made no entry of what the operator had received, which was what was due then.
  const { refunded } = await refundedWithoutPayment(ctx, order_id)
  // What was given of payments is among what has moved.
  const { given } = await refundedToCredit(ctx, order_id)
  return inTotal(total + (await movedSince(ctx, order_id, markedAt)) - (refunded - given), total)
}

function inTotal(minor: number, total: number): number {
  return Math.max(0, Math.min(total, minor))
}

/** What the ledger of an order has received since it was paid, less refunds and what became account credit. */
async function movedSince({ db }: DbContext, orderId: string, paidAt: Instant): Promise<number> {
  const { booked } = await db
    .selectFrom("payments")
    .innerJoin("invoices", "invoices.id", "payments.invoice_id")
    .select((row) => row.fn.sum<number | null>("payments.amount").as("booked"))
    .where("invoices.order_id", "=", orderId)
    .where("booked_at", ">", paidAt)
    .executeTakeFirstOrThrow()
  const { credited } = await db
    .selectFrom("credit_movements")
    .innerJoin("invoices", "invoices.id", "credit_movements.invoice_id")
    .select((row) => row.fn.sum<number | null>("credit_movements.amount").as("credited"))
    .where("invoices.order_id", "=", orderId)
    // What did not apply any more became account credit with the payment; credit that was used, and what was left of an order that had
    // come to nothing, came before it.
    .where("credit_movements.at", ">=", paidAt)
    .where("credit_movements.cause", "not in", ["used", "returned", "left"])
    .executeTakeFirstOrThrow()
  return Number(booked ?? 0) - Number(credited ?? 0)
}

/**
 * What was refunded of an order without a payment, in minor units: of account credit, or of money that the operator has received outside
 * the gateways (`outside`).
 */
export async function refundedWithoutPayment(
  { db }: DbContext,
  orderId: string,
): Promise<{ readonly refunded: number; readonly outside: number }> {
  const { refunded, outside } = await db
    .selectFrom("order_refunds")
    .select((row) => row.fn.sum<number | null>("amount").as("refunded"))
    .select((row) => row.fn.sum<number | null>("outside").as("outside"))
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow()
  return { refunded: Number(refunded ?? 0), outside: Number(outside ?? 0) }
}
