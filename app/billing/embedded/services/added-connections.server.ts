import type { ExpressionBuilder } from "kysely"
import type { Tables } from "../db/schema/schema"

/** Condition: a paid order for connections has added them; otherwise its payment has become account credit (`applyUpsell`). */
export function isAdded({ not, exists, selectFrom }: ExpressionBuilder<Tables, "orders">) {
  return not(
    exists(
      selectFrom("upsells")
        .select("upsells.order_id")
        .whereRef("upsells.order_id", "=", "orders.id")
        .where("upsells.applied_at", "is", null),
    ),
  )
}
