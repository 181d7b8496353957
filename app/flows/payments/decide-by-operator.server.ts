import type { OrderRepository } from "~/billing/orders/order-repository"
import type { Order } from "~/domain/orders/order"
import { next } from "~/domain/orders/order-status"
import { OPERATOR_REFERENCE } from "~/domain/orders/timeline"
import type { GatewayId } from "~/domain/payments/gateway-id"
import { hasPaymentInProgress } from "./cancel-order.server"
import { closeAttempts } from "./close-attempts.server"
import { countOrderStep } from "./count-order-step.server"
import { type PollServices, pollOpenAttempts } from "./poll-gateway.server"

export type OperatorDecision = {
  /** `paid`: the operator has received the money. `aborted`: the order is cancelled. */
  readonly event: "paid" | "aborted"
  readonly reason: string
  /** Decide even if a gateway does not respond, or has seen an unconfirmed payment. */
  readonly force: boolean
}

export type Decided =
  | { readonly kind: "done" | "unchanged" | "under-way"; readonly order: Order }
  /** A gateway is paying back a part of it: what is due is known afterwards. */
  | { readonly kind: "refund-under-way"; readonly order: Order }
  /** Gateways that did not respond: nothing has changed. */
  | { readonly kind: "no-answer"; readonly gateways: readonly GatewayId[] }
  | { readonly kind: "no-such-order" }

type DecisionServices = PollServices & { readonly billing: OrderRepository }

/**
 * Marks an order as paid, or cancels it, for the operator. Polls its gateways first, so that a paid order is not cancelled
 * and no money is taken twice. Closes open payments afterwards where possible. The timeline records operator and reason.
 */
export async function decideByOperator(
  services: DecisionServices,
  orderId: string,
  { event, reason, force }: OperatorDecision,
): Promise<Decided> {
  const silent = await silentGateways(services, orderId)
  if (silent.length > 0 && !force) return { kind: "no-answer", gateways: silent }
  const before = await services.billing.order(orderId)
  if (!before) return { kind: "no-such-order" }
  const isLocked = event === "aborted" && !force && (await hasPaymentInProgress(services, orderId))
  if (isLocked) return { kind: "under-way", order: before }
  const order = await services.billing.applyOrderEvent(
    orderId,
    event,
    services.now(),
    `${OPERATOR_REFERENCE}${reason}`,
  )
  if (!order || order.status === before.status) return { kind: whyUnchanged(event, before), order: before }
  if (event === "paid") countOrderStep(services, "paid", order)
  await closeAttempts(services, orderId, null)
  return { kind: "done", order }
}

/** An order that could be paid is left as it is only while a refund of it is on its way. */
function whyUnchanged(event: OperatorDecision["event"], { status }: Order): "unchanged" | "refund-under-way" {
  return event === "paid" && next(status, event) !== undefined ? "refund-under-way" : "unchanged"
}

/** Polls an order's open payments. Returns the gateways that did not respond or are no longer configured. */
export async function silentGateways(services: PollServices, orderId: string): Promise<readonly GatewayId[]> {
  const duePolls = await pollOpenAttempts(services, orderId, { force: true })
  const silent = duePolls.filter(({ outcome: { kind } }) => kind === "no-answer" || kind === "no-gateway")
  return [...new Set(silent.map(({ attempt }) => attempt.gateway))]
}
