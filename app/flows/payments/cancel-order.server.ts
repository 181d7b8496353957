import type { Services } from "~/context/services.server"
import type { Order } from "~/domain/order"
import { closeAttempts } from "./change-gateway.server"
import { type PollServices, pollOpenAttempts } from "./poll-gateway.server"

/**
 * Gives an unpaid order up, so that the buyer may choose again; a promotion's use is given back, and what has been paid
 * of it is his credit. The gateways are asked first: an order that has been paid meanwhile goes on as it is, and so does
 * one that money is on its way for, because nobody could say yet what it is for. Answers the order as it is then; null
 * when there is none.
 */
export async function cancelUnpaidOrder(
  services: PollServices & Pick<Services, "billing">,
  orderId: string,
): Promise<Order | null> {
  await pollOpenAttempts(services, orderId)
  if (await isUnderWay(services, orderId)) return services.billing.order(orderId)
  const given = await services.billing.applyOrderEvent(orderId, "aborted", services.now())
  if (given?.status === "cancelled") await closeAttempts(services, orderId, null)
  return given
}

/** Whether a gateway has seen money for an order that is not confirmed yet. */
export async function isUnderWay(
  { payments }: Pick<Services, "payments">,
  orderId: string,
): Promise<boolean> {
  return (await payments.openAttempts(orderId)).some(({ status }) => status === "processing")
}
