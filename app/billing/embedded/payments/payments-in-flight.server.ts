import type { Instant } from "~/domain/calendar"
import { LATE_PAYMENT_GRACE } from "~/domain/orders/order"
import type { DbContext } from "../db/transaction.server"

/**
 * Whether a payment of a renewal of the service is in flight: money that was seen or is confirming, a part of the amount, or
 * an order that the operator reviews. Its outcome decides about the service, so nothing else may. What comes for an order that accepts
 * no late payment any more becomes account credit, and decides nothing.
 */
export async function isPaymentInFlight({ db }: DbContext, serviceId: string, at: Instant): Promise<boolean> {
  const renewals = db
    .selectFrom("renewal_items")
    .innerJoin("orders", "orders.id", "renewal_items.order_id")
    .where("renewal_items.service_id", "=", serviceId)
    .where("renewal_items.applied_at", "is", null)
  const paying = await renewals
    .innerJoin("payment_attempts", "payment_attempts.order_id", "orders.id")
    .select("orders.id")
    .where("payment_attempts.status", "in", ["processing", "partially-paid"])
    .where((order) =>
      order.or([
        order("orders.status", "not in", ["cancelled", "expired"]),
        order("orders.deadline", ">=", at - LATE_PAYMENT_GRACE),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  if (paying) return true
  const reviewed = await renewals
    .select("orders.id")
    .where("orders.status", "=", "fraud")
    .where("orders.decision", "is", null)
    .limit(1)
    .executeTakeFirst()
  return reviewed !== undefined
}

/** Lets the steps go on at once that the payment of an order has held and that no other payment holds. */
export async function endHolds(tx: DbContext, orderId: string, at: Instant): Promise<void> {
  const held = await tx.db
    .selectFrom("renewal_items")
    .innerJoin("services", "services.id", "renewal_items.service_id")
    .select("services.id")
    .where("renewal_items.order_id", "=", orderId)
    .where("services.held_since", "is not", null)
    .execute()
  for (const { id } of held) {
    if (await isPaymentInFlight(tx, id, at)) continue
    await tx.db
      .updateTable("services")
      .set({ held_since: null, next_step_at: at })
      .where("id", "=", id)
      .where("next_step_at", ">", at)
      .execute()
  }
}
