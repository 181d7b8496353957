import { OPERATOR_REFERENCE } from "~/domain/timeline"
import type { DbContext } from "../db/transaction.server"

/** Whether the operator has marked an order as paid: what was due has been received outside the gateways. */
export async function isPaidByOperator({ db }: DbContext, orderId: string): Promise<boolean> {
  const marked = await db
    .selectFrom("order_events")
    .select("position")
    .where("order_id", "=", orderId)
    .where("kind", "=", "paid")
    .where("amount", "is", null)
    .where("reference", "like", `${OPERATOR_REFERENCE}%`)
    .executeTakeFirst()
  return marked !== undefined
}
