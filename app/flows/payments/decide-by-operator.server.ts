import type { Services } from "~/context/services.server"
import type { GatewayId } from "~/domain/gateway-id"
import type { Order } from "~/domain/order"
import { isUnderWay } from "./cancel-order.server"
import { closeAttempts } from "./change-gateway.server"
import { type PollServices, pollOpenAttempts } from "./poll-gateway.server"

export type OperatorDecision = {
  /** `paid`: the operator has the money. `aborted`: the order is given up. */
  readonly event: "paid" | "aborted"
  readonly reason: string
  /** Also where a gateway does not say how its payment stands, or has seen money that is not confirmed. */
  readonly force: boolean
}

export type Decided =
  | { readonly kind: "done" | "unchanged" | "under-way"; readonly order: Order }
  /** Gateways that have not said how the order's payments stand: nothing has changed. */
  | { readonly kind: "no-answer"; readonly gateways: readonly GatewayId[] }
  | { readonly kind: "no-such-order" }

type Deciding = PollServices & Pick<Services, "billing">

/**
 * The operator decides an order. Its gateways are asked first, as whenever an order is given up, so that nobody cancels
 * what has just been paid or takes the same money twice; payments that are open are closed afterwards, where they can
 * be. The timeline says that it was the operator, and why.
 */
export async function decideByOperator(
  services: Deciding,
  orderId: string,
  { event, reason, force }: OperatorDecision,
): Promise<Decided> {
  const silent = await silentGateways(services, orderId)
  if (silent.length > 0 && !force) return { kind: "no-answer", gateways: silent }
  const before = await services.billing.order(orderId)
  if (!before) return { kind: "no-such-order" }
  const isLocked = event === "aborted" && !force && (await isUnderWay(services, orderId))
  if (isLocked) return { kind: "under-way", order: before }
  const order = await services.billing.applyOrderEvent(orderId, event, services.now(), `operator: ${reason}`)
  if (!order || order.status === before.status) return { kind: "unchanged", order: before }
  await closeAttempts(services, orderId, null)
  return { kind: "done", order }
}

/** Gateways that were asked about an order's payments and gave no answer, or that nobody has set up any more. */
async function silentGateways(services: Deciding, orderId: string): Promise<readonly GatewayId[]> {
  const asked = await pollOpenAttempts(services, orderId, { anew: true })
  const silent = asked.filter(
    ({ attempt, outcome }) => outcome === "no-answer" || !services.gateways.has(attempt.gateway),
  )
  return [...new Set(silent.map(({ attempt }) => attempt.gateway))]
}
