import type { BillingError } from "~/billing/billing"
import type { Order } from "~/domain/orders/order"
import { isDeclinable } from "~/domain/orders/order-status"
import type { MirrorContext } from "./context.server"

/**
 * Whether external billing has refused to make a paid change of plan that costs nothing: the order is cancelled then, and nothing
 * is asked or looked up again. Its key is released, so that the same form can order again. With money in it, it stays for a person.
 */
export async function isDeclined(
  { local, store, now, log }: MirrorContext,
  order: Order,
  error: BillingError,
): Promise<boolean> {
  if (order.kind !== "plan-change" || error.kind !== "refused" || !isDeclinable(order)) return false
  await local.billing.applyOrderEvent(order.id, "declined", now(), error.message)
  await store.closeExternalOrder(order.id, "closed")
  await store.releaseIdempotencyKey(order.id)
  log.warn({ orderId: order.id, reason: error.message }, "plan change refused by external billing")
  return true
}
