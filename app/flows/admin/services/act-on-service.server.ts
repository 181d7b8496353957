import type { ServiceDetails } from "~/billing/services/service-admin"
import type { ConsoleServices } from "~/context/services.server"
import { mayDo } from "~/domain/operator"
import type { Service } from "~/domain/service"
import { playlistAddress } from "~/flows/services/show-access.server"
import { type ActionOutcome, type Actor, runOperatorAction } from "../run-operator-action.server"
import { changeService, changingOf, type ServiceChange, type ServiceProblem } from "./change-service.server"
import { seenOfService } from "./service-page.server"

type Proof = { readonly password: string; readonly code: string }

/** A form of a service's page. */
export type ServiceForm = ServiceChange & {
  readonly formKey: string
  readonly proof: Proof
  /** What the operator had seen, see `seenOfService`. */
  readonly seen: string
}

export type ServiceOutcome =
  | Exclude<ActionOutcome<never>, { kind: "done" }>
  | { readonly kind: "done" }
  /** `changed`: the service has changed since the page was opened: its new state has to be seen first. */
  | { readonly kind: "problem"; readonly problem: ServiceProblem | "changed" }
  | { readonly kind: "no-such-service" }

/** Does what a form of a service's page asks for, if its state still allows it, and writes the audit log. */
export async function actOnService(
  services: ConsoleServices,
  actor: Actor,
  { number, form }: { readonly number: string; readonly form: ServiceForm },
): Promise<ServiceOutcome> {
  const details = await services.console.services.serviceDetails(number)
  if (!details) return { kind: "no-such-service" }
  const { service } = details
  const { action, reason, formKey, proof } = form
  // What a role may not do is refused, and recorded, by `runOperatorAction`.
  const problem = mayDo(actor.session.role, action) ? problemOf(details, form) : null
  if (problem) return { kind: "problem", problem }
  const request = { action, subject: `service ${service.id}`, reason: reason || null, formKey, proof }
  const outcome = await runOperatorAction(services, actor, request, async () => {
    const value = await changeService(changingOf(services), details, form)
    const after = await services.billing.service(service.id)
    return {
      before: stateOf(service),
      after: { ...stateOf(after ?? service), result: value ?? "done" },
      value,
    }
  })
  if (outcome.kind !== "done") return outcome
  return outcome.value === null ? { kind: "done" } : { kind: "problem", problem: outcome.value }
}

function problemOf(
  details: ServiceDetails,
  { seen, reason }: ServiceForm,
): "changed" | "reason-missing" | null {
  if (seen !== seenOfService(details)) return "changed"
  return reason === "" ? "reason-missing" : null
}

/** For the audit log: without login details, and without the address of the device. */
function stateOf({ status, paidUntil, connections, deviceAddress }: Service) {
  return { status, paidUntil, connections, hasDevice: deviceAddress !== null }
}

/** Login details of a service. */
export type Credentials = {
  readonly username: string
  readonly password: string
  readonly host: string | null
  readonly playlistAddress: string | null
}

type Uncovering = {
  readonly number: string
  readonly reason: string
  readonly formKey: string
  readonly proof: Proof
}

export type UncoverOutcome =
  | ActionOutcome<Credentials>
  | { readonly kind: "problem"; readonly problem: "reason-missing" }
  | { readonly kind: "no-such-service" }

/** Shows the login details of a service once, with an entry in the audit log. */
export async function uncoverCredentials(
  services: ConsoleServices,
  actor: Actor,
  { number, reason, formKey, proof }: Uncovering,
): Promise<UncoverOutcome> {
  const details = await services.console.services.serviceDetails(number)
  if (!details) return { kind: "no-such-service" }
  const { service } = details
  const action = "show-credentials"
  if (reason === "" && mayDo(actor.session.role, action))
    return { kind: "problem", problem: "reason-missing" }
  const request = {
    action,
    subject: `service ${service.id}`,
    reason: reason || null,
    formKey,
    proof,
  } as const
  return runOperatorAction(services, actor, request, async () => {
    const { username, password, host } = service
    return { value: { username, password, host, playlistAddress: playlistAddress(services, service) } }
  })
}
