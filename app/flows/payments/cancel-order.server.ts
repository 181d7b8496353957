import type { HeldOrders, OrderRepository } from "~/billing/orders/order-repository"
import type { Services } from "~/context/services.server"
import type { Order } from "~/domain/orders/order"
import { closeAttempts } from "./close-attempts.server"
import { type PollServices, pollOpenAttempts } from "./poll-gateway.server"

/**
 * Cancels an unpaid order, releases its promotion, and turns a partial payment into account credit. Polls the gateways
 * first: an order that has been paid in the meantime, or whose payment is pending, is not cancelled. Returns the order as
 * it is afterwards; null if it is unknown.
 */
export async function cancelUnpaidOrder(
  services: PollServices & { readonly billing: OrderRepository },
  orderId: string,
): Promise<Order | null> {
  await pollOpenAttempts(services, orderId)
  if (await hasPaymentInProgress(services, orderId)) return services.billing.order(orderId)
  const given = await services.billing.applyOrderEvent(orderId, "aborted", services.now())
  if (given?.status === "cancelled") await closeAttempts(services, orderId, null)
  return given
}

/** Whether a gateway has seen an unconfirmed payment for an order. */
export async function hasPaymentInProgress(
  { payments }: Pick<Services, "payments">,
  orderId: string,
): Promise<boolean> {
  return (await payments.openAttempts(orderId)).some(({ status }) => status === "processing")
}

/**
 * Puts an unpaid order on hold as suspected fraud. Its open payments are closed where the gateway supports it; money that
 * still arrives becomes account credit. As with `cancelUnpaidOrder`, a paid order, or one with a pending payment, does not
 * change. Returns the order as it is afterwards; null if it is unknown.
 */
export async function holdUnpaidOrder(
  services: PollServices & { readonly billing: Pick<OrderRepository, "order"> & HeldOrders },
  orderId: string,
  reason: string,
): Promise<Order | null> {
  const { billing, now } = services
  await pollOpenAttempts(services, orderId)
  if (!(await hasPaymentInProgress(services, orderId))) await billing.fraudOrder(orderId, reason, now())
  const order = await billing.order(orderId)
  if (order?.status === "fraud") await closeAttempts(services, orderId, null)
  return order
}
