import type { PriceReturn } from "~/billing/services/service-admin"
import type { Instant } from "~/domain/calendar"
import type { DbContext } from "../db/transaction.server"

/** Ends the runs that would announce a price which is taken back: what they have announced so far is taken back with the rest. */
export async function endTakenBackMoves(
  { db }: DbContext,
  { services, currency, from }: PriceReturn,
  at: Instant,
): Promise<void> {
  if ("serviceId" in services) return
  await db
    .updateTable("price_moves")
    .set({ ended_at: at, problem: "taken-back" })
    .where("product_id", "=", services.productId)
    .where("cycle", "=", services.cycle)
    .where("currency", "=", currency)
    .where("starts_at", "=", from)
    .where("ended_at", "is", null)
    .execute()
}
