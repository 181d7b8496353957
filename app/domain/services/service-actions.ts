import { includes } from "../includes"
import { mayDo, type OperatorAction, type OperatorRole } from "../operators/operator"
import { isProvisioned, type Service } from "./service"

/** What operators do with one service, in the order in which its page offers it: what destroys comes last. */
export const serviceActions = [
  "resume-service",
  "extend-service",
  "set-device",
  "set-connections",
  "move-price",
  "keep-price",
  "recreate-service",
  "suspend-service",
  "terminate-service",
] as const satisfies readonly OperatorAction[]
export type ServiceAction = (typeof serviceActions)[number]

/** Whether a form names an action on a service. */
export function isServiceAction(text: string): text is ServiceAction {
  return includes(serviceActions, text)
}

/** What decides which actions a service allows. */
export type ServiceState = Pick<Service, "status" | "kind" | "suspension" | "paidUntil">

/** An external billing has the state of the services and their ends. */
type Shop = { readonly hasExternalBilling: boolean }

/** Actions that change the service at the panel alone, so that they are allowed with every billing. */
const atPanel: readonly ServiceAction[] = ["recreate-service", "set-device"]

const rules: Readonly<Record<ServiceAction, (service: ServiceState) => boolean>> = {
  "resume-service": ({ status }) => status === "Suspended",
  "extend-service": (service) => isProvisioned(service) && service.paidUntil !== null,
  "set-device": ({ status, kind }) => status === "Active" && kind === "plan",
  "set-connections": (service) => isProvisioned(service) && service.kind === "plan",
  "move-price": (service) => isProvisioned(service) && service.paidUntil !== null,
  // Offered only where a price is announced whose day has not come, which the state does not say.
  "keep-price": (service) => isProvisioned(service) && service.paidUntil !== null,
  "recreate-service": ({ status }) => status === "Active",
  // What was suspended for non-payment may be suspended by the operator: then a payment does not end it.
  "suspend-service": ({ status, suspension }) => status === "Active" || suspension?.owner === "non-payment",
  "terminate-service": (service) => isProvisioned(service),
}

/** Whether the state of a service allows an action. */
export function allows(service: ServiceState, action: ServiceAction, { hasExternalBilling }: Shop): boolean {
  return (!hasExternalBilling || atPanel.includes(action)) && rules[action](service)
}

/** Actions that the state of a service allows to a role. */
export function serviceActionsFor(
  role: OperatorRole,
  service: ServiceState,
  shop: Shop,
): readonly ServiceAction[] {
  return serviceActions.filter((action) => mayDo(role, action) && allows(service, action, shop))
}
