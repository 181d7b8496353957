import type { Services } from "~/context/services.server"
import type { Order } from "~/domain/order"
import { closeAttempts } from "./change-gateway.server"
import { askAboutAll } from "./poll-gateway.server"

/**
 * Gives an unpaid order up, so that the buyer may choose again; a promotion's use is given back. The gateways are
 * asked first: an order that has been paid meanwhile, in part or whole, goes on as it is. Answers the order as it
 * is then; null when there is none.
 */
export async function giveUpOrder(services: Services, orderId: string): Promise<Order | null> {
  await askAboutAll(services, orderId)
  const order = await services.billing.order(orderId)
  if (!order || order.received.minor > 0) return order
  const given = await services.billing.moveOrder(orderId, "aborted", services.now())
  if (given?.status === "cancelled") await closeAttempts(services, orderId, null)
  return given
}
