import type { LoggedServices } from "~/context/services.server"
import type { Order } from "~/domain/orders/order"
import { accountCreditScope, type CreditIdentity } from "~/flows/checkout/available-credit.server"
import { cancelUnpaidOrder } from "~/flows/payments/cancel-order.server"

/**
 * Lets another order take the place of an unpaid one that was placed without account credit which its customer may use now: before they
 * signed in, or had any. The session's own one is cancelled, one of another browser stays as it is. False: none takes its place, since
 * there is no such credit, or a payment of it is in progress.
 */
export async function prepareReplacement(
  services: LoggedServices,
  visitor: CreditIdentity,
  order: Order,
): Promise<boolean> {
  if (!(await lacksUsableCredit(services, visitor, order))) return false
  return order.id !== visitor.orderId || tryToCancel(services, order)
}

/** Whether an unpaid order was placed without account credit which its customer may use now. */
export async function lacksUsableCredit(
  { payments }: Pick<LoggedServices, "payments">,
  visitor: CreditIdentity,
  { customerId, total, credited, received }: Order,
): Promise<boolean> {
  const scope = accountCreditScope(visitor, customerId)
  if (scope !== "account" || credited.minor !== 0 || received.minor !== 0) return false
  return (await payments.accountCredit(customerId, total.currency)).minor > 0
}

/** Cancels an unpaid order. False: it is paid, or a payment of it is in progress. */
export async function tryToCancel(services: LoggedServices, { id }: Order): Promise<boolean> {
  return (await cancelUnpaidOrder(services, id))?.status === "cancelled"
}
