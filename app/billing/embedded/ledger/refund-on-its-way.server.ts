import { type ExpressionBuilder, sql } from "kysely"
import type { Tables } from "../db/schema/schema"
import type { DbContext } from "../db/transaction.server"

/** Condition: a gateway is paying back money of the invoice's order. What it was asked for is not anybody's account credit meanwhile. */
export function isBeingPaidBack({ exists, selectFrom }: ExpressionBuilder<Tables, "invoices">) {
  return exists(
    selectFrom("gateway_refunds")
      .select("gateway_refunds.id")
      .whereRef("gateway_refunds.order_id", "=", "invoices.order_id")
      .where("gateway_refunds.state", "=", "waiting"),
  )
}

/** Whether a gateway is paying back money of an order, whose invoice is locked. */
export async function isRefundOnItsWay({ db }: DbContext, orderId: string): Promise<boolean> {
  const invoice = await db
    .selectFrom("invoices")
    .select("id")
    .where("order_id", "=", orderId)
    .where(isBeingPaidBack)
    .executeTakeFirst()
  return invoice !== undefined
}

/** What gateways are paying back of the query's invoice and have not reported yet, in minor units; null: nothing. */
export function onItsWayOf({ selectFrom }: ExpressionBuilder<Tables, "invoices">) {
  const reported = sql<number>`(payment_attempts.gross - payment_attempts.received - gateway_refunds.refunded_before)`
  return selectFrom("gateway_refunds")
    .innerJoin("payment_attempts", "payment_attempts.id", "gateway_refunds.attempt_id")
    .select((of) =>
      of.fn
        .sum<number | null>(
          of
            .case()
            .when("gateway_refunds.amount", ">", reported)
            .then(sql<number>`gateway_refunds.amount - ${reported}`)
            .else(0)
            .end(),
        )
        .as("on_its_way"),
    )
    .whereRef("gateway_refunds.order_id", "=", "invoices.order_id")
    .where("gateway_refunds.state", "=", "waiting")
}

/** The same of an unpaid invoice: what leaves the shop pays nothing. */
export function onItsWayOfUnpaid(of: ExpressionBuilder<Tables, "invoices">) {
  return onItsWayOf(of).where("invoices.status", "!=", "paid")
}

/** What gateways are paying back of an order's unpaid invoice, as above. */
export async function onItsWay({ db }: DbContext, orderId: string): Promise<number> {
  const row = await db
    .selectFrom("invoices")
    .select((of) => onItsWayOfUnpaid(of).as("on_its_way"))
    .where("order_id", "=", orderId)
    .executeTakeFirst()
  return Number(row?.on_its_way ?? 0)
}
