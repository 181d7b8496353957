import type { LoggedServices } from "~/context/services.server"
import type { Order } from "~/domain/orders/order"
import { hasEnded } from "~/domain/services/line-list"
import { accessibleServices, type SessionIdentity } from "~/flows/services/accessible-services.server"

/**
 * An unpaid order as its payment would carry it out now: a reseller plan that was ordered before the visitor had an account adds its
 * credits to that one (specification, Resellers). Every other order as it is.
 */
export async function orderIfPaid(
  services: Pick<LoggedServices, "billing" | "shop">,
  visitor: SessionIdentity,
  order: Order,
): Promise<Order> {
  const { customer } = visitor
  const mayAdd = order.kind === "reseller" && order.addsCredits && services.shop.terms !== null
  if (!mayAdd || customer?.id !== order.customerId) return order
  const account = (await accessibleServices(services, visitor)).find(
    (it) => it.kind === "reseller" && it.customerId === customer.id && !hasEnded(it),
  )
  return account ? { ...order, kind: "reseller-credits", serviceId: account.id } : order
}
