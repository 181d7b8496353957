import type { DbContext } from "../db/transaction.server"

/**
 * Whether a payment of a renewal of the service is in flight: money that was seen or is confirming, a part of the amount, or
 * an order that the operator reviews. Its outcome decides about the service, so nothing else may.
 */
export async function isPaymentInFlight({ db }: DbContext, serviceId: string): Promise<boolean> {
  const renewals = db
    .selectFrom("renewal_items")
    .innerJoin("orders", "orders.id", "renewal_items.order_id")
    .where("renewal_items.service_id", "=", serviceId)
    .where("renewal_items.applied_at", "is", null)
  const paying = await renewals
    .innerJoin("payment_attempts", "payment_attempts.order_id", "orders.id")
    .select("orders.id")
    .where("payment_attempts.status", "in", ["processing", "partially-paid"])
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
