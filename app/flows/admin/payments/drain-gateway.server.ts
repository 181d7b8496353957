import type { GatewayDrains } from "~/billing/payments/gateway-drains"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { includes } from "~/domain/includes"
import type { OperatorAction } from "~/domain/operators/operator"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { SentKey } from "../form-key.server"
import { type Actor, type FormOutcome, missingReason, runOperatorForm } from "../run-operator-action.server"

/** What an operator does with a gateway. A drained one finishes its payments and gets no new orders. */
export const gatewayActions = ["drain-gateway", "offer-gateway"] as const satisfies readonly OperatorAction[]
export type GatewayAction = (typeof gatewayActions)[number]

/** Whether a form names an action on a gateway. */
export function isGatewayAction(text: string): text is GatewayAction {
  return includes(gatewayActions, text)
}

/** `last-gateway`: no gateway would be offered. */
export type GatewayProblem = "reason-missing" | "last-gateway"

type Drained = { readonly drains: GatewayDrains; readonly enabledGateways: readonly GatewayId[] }

/** Carries out an action on a gateway; null if it is done. Idempotent. */
export async function changeGatewayOffer(
  { drains, enabledGateways }: Drained,
  { gateway, action, at }: { gateway: GatewayId; action: GatewayAction; at: Instant },
): Promise<"last-gateway" | null> {
  if (action === "drain-gateway")
    return (await drains.drain(gateway, { at, offered: enabledGateways })) ? null : "last-gateway"
  await drains.offer(gateway)
  return null
}

export type GatewayForm = {
  readonly action: GatewayAction
  readonly reason: string
  readonly formKey: SentKey
}

/** Drains a gateway or offers it again by a form of the console, and writes the audit log. */
export async function actOnGateway(
  services: ConsoleServices,
  actor: Actor,
  { gateway, form }: { readonly gateway: GatewayId; readonly form: GatewayForm },
): Promise<FormOutcome<null, GatewayProblem>> {
  const { action, reason, formKey } = form
  const { console, enabledGateways, now } = services
  const missing = missingReason(reason)
  const request = { action, subject: `gateway ${gateway}`, reason, formKey, problem: missing } as const
  const outcome = await runOperatorForm(services, actor, request, async () => {
    const problem = await changeGatewayOffer(
      { drains: console.drains, enabledGateways },
      { gateway, action, at: now() },
    )
    return { after: { result: problem ?? "done" }, value: problem }
  })
  if (outcome.kind !== "done") return outcome
  return outcome.value === null ? { kind: "done", value: null } : { kind: "problem", problem: outcome.value }
}
