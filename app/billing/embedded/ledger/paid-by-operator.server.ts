import type { Instant } from "~/domain/calendar"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import type { DbContext } from "../db/transaction.server"

/** Whether the operator has marked an order as paid: what was due has been received outside the gateways. */
export async function isPaidByOperator(ctx: DbContext, orderId: string): Promise<boolean> {
  return (await paidByOperatorAt(ctx, orderId)) !== null
}

/** When the operator has marked an order as paid; null: they have not. */
export async function paidByOperatorAt({ db }: DbContext, orderId: string): Promise<Instant | null> {
  const marked = await db
    .selectFrom("order_events")
    .select("at")
    .where("order_id", "=", orderId)
    .where("kind", "=", "paid")
    .where("amount", "is", null)
    .where("reference", "like", `${OPERATOR_REFERENCE}%`)
    .executeTakeFirst()
  return marked?.at ?? null
}
