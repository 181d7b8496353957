import { includes } from "../includes"
import { mayDo, type OperatorAction, type OperatorRole } from "../operators/operator"

/** What operators do with an endpoint: what takes something away comes last. */
export const endpointActions = [
  "test-webhook",
  "redeliver-webhook",
  "resume-webhook",
  "pause-webhook",
  "edit-webhook",
  "rotate-webhook-secret",
  "remove-webhook",
] as const satisfies readonly OperatorAction[]
export type EndpointAction = (typeof endpointActions)[number]

/** Whether a form names an action on an endpoint. */
export function isEndpointAction(text: string): text is EndpointAction {
  return includes(endpointActions, text)
}

type EndpointState = { readonly state: "active" | "paused" }

/** Whether the state of an endpoint allows an action. */
export function endpointAllows({ state }: EndpointState, action: EndpointAction): boolean {
  if (action === "pause-webhook") return state === "active"
  return action !== "resume-webhook" || state === "paused"
}

/** Actions that the state of an endpoint allows to a role. */
export function endpointActionsFor(role: OperatorRole, endpoint: EndpointState): readonly EndpointAction[] {
  return endpointActions.filter((action) => mayDo(role, action) && endpointAllows(endpoint, action))
}

/** The address of an endpoint as a role sees it: path and query may contain a secret of the receiver's. */
export function addressShownTo(role: OperatorRole, url: string): string {
  return role === "owner" ? url : new URL(url).host
}
