import type { OrderAdmin } from "~/billing/orders/order-admin"
import type { OrderRepository } from "~/billing/orders/order-repository"
import type { Money } from "~/domain/money/money"
import { closeAttempts } from "./close-attempts.server"
import { countOrderStep } from "./count-order-step.server"
import { type Decided, silentGateways } from "./decide-by-operator.server"
import type { PollServices } from "./poll-gateway.server"

type WaivingServices = PollServices & {
  readonly billing: OrderRepository
  readonly orders: Pick<OrderAdmin, "waiveRest">
}

type Waiving = {
  /** What the operator has seen as due; nothing else is waived. */
  readonly rest: Money
  readonly reason: string
  /** Also if a gateway does not respond. */
  readonly force: boolean
}

/**
 * Waives what is left of an order that lacks a little, for the operator. Polls its gateways first, so that nothing is waived that was paid,
 * and closes open payments afterwards where possible. The timeline records operator, amount and reason.
 */
export async function waiveRest(
  { orders, ...services }: WaivingServices,
  orderId: string,
  { rest, reason, force }: Waiving,
): Promise<Exclude<Decided, { kind: "under-way" }>> {
  const silent = await silentGateways(services, orderId)
  if (silent.length > 0 && !force) return { kind: "no-answer", gateways: silent }
  const waived = await orders.waiveRest(orderId, { rest, reason, at: services.now() })
  const order = await services.billing.order(orderId)
  if (!order) return { kind: "no-such-order" }
  if (waived !== "waived") return { kind: waived === "changed" ? "unchanged" : waived, order }
  countOrderStep(services, "paid", order)
  await closeAttempts(services, orderId, null)
  return { kind: "done", order }
}
