import type { LoggedServices } from "~/context/services.server"
import type { Order } from "~/domain/order"
import { accountCreditScope, type Visitor } from "~/flows/checkout/available-credit.server"
import { cancelUnpaidOrder } from "~/flows/payments/cancel-order.server"

/**
 * Whether another order takes the place of an unpaid one that was placed without account credit which its customer may use now: before
 * they signed in, or had any. The session's own one is cancelled, unless a payment of it is in progress.
 */
export async function isReplaced(
  services: LoggedServices,
  visitor: Visitor,
  { id, customerId, total, credited, received }: Order,
): Promise<boolean> {
  const scope = accountCreditScope(visitor, customerId)
  if (scope !== "account" || credited.minor !== 0 || received.minor !== 0) return false
  if ((await services.payments.accountCredit(customerId, total.currency)).minor === 0) return false
  return id !== visitor.orderId || (await cancelUnpaidOrder(services, id))?.status === "cancelled"
}
