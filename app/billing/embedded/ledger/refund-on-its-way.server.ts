import type { ExpressionBuilder } from "kysely"
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
