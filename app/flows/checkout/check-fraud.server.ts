import type { Services } from "~/context/services.server"
import type { FraudVerdict } from "~/domain/fraud"
import type { Order } from "~/domain/order"

/** Whether the books have something against an order from here; always fine where the operator does not want to know. */
export async function fraudVerdict(services: Services, address: string | null): Promise<FraudVerdict> {
  const { billing, shop, market, now } = services
  if (!shop.fraudCheck) return { valid: true }
  return billing.checkFraud({ address, country: market.country, at: now() })
}

/** The flag is the opposite of the verdict (spec, section 4): a flagged order is marked, and answered as it is then. */
export async function markIfFraud(services: Services, order: Order, verdict: FraudVerdict): Promise<Order> {
  if (verdict.valid || order.status !== "placed") return order
  const { billing, log, now } = services
  await billing.fraudOrder(order.id, verdict.reason, now())
  log.warn({ orderId: order.id, reason: verdict.reason }, "order held as suspicious")
  return (await billing.order(order.id)) ?? order
}
