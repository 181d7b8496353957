import type { Services } from "~/services.server"
import { askAboutOrder } from "./ask-gateway.server"

/**
 * Gives an unpaid order up, so that the buyer may choose again; a promotion's use is given back. The gateway is
 * asked first: an order that has been paid meanwhile, in part or whole, goes on as it is.
 */
export async function giveUpOrder(services: Services, orderId: string): Promise<void> {
  await askAboutOrder(services, orderId, true)
  const order = await services.billing.order(orderId)
  if (!order || order.received.minor > 0) return
  await services.billing.moveOrder(orderId, "aborted", services.now())
}
