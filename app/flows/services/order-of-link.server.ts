import type { LoggedServices } from "~/context/services.server"
import type { Order } from "~/domain/orders/order"
import { belongsToCustomer, isPlacedBySession } from "~/flows/payments/resume-order.server"
import type { SessionIdentity } from "./accessible-services.server"

/** `authenticated`: accessible as an order of the signed-in customer's, and not because this session placed it. */
export type LinkedOrder = { readonly order: Order; readonly authenticated: boolean }

/** The order that a link in a message names, if the visitor may see it; null alike for a missing and a foreign order. */
export async function orderOfLink(
  { billing }: Pick<LoggedServices, "billing">,
  visitor: SessionIdentity,
  id: string,
): Promise<LinkedOrder | null> {
  const order = await billing.order(id)
  if (!order) return null
  if (order.id === visitor.orderId || isPlacedBySession(order, visitor))
    return { order, authenticated: false }
  return belongsToCustomer(order, visitor.customer) ? { order, authenticated: true } : null
}
