import type { ServiceDetails } from "~/billing/services/service-admin"
import type { ConsoleServices } from "~/context/services.server"
import type { Service } from "~/domain/services/service"
import { playlistAddress } from "~/flows/services/show-access.server"
import type { SentKey } from "../form-key.server"
import {
  type ActionOutcome,
  type Actor,
  type FormOutcome,
  type FormProblem,
  missingReason,
  runOperatorForm,
} from "../run-operator-action.server"
import { changeService, changingOf, type ServiceChange, type ServiceProblem } from "./change-service.server"
import { seenOfService } from "./service-page.server"

type Proof = { readonly password: string; readonly code: string }

/** A form of a service's page. */
export type ServiceForm = ServiceChange & {
  readonly formKey: SentKey
  readonly proof: Proof
  /** What the operator had seen, see `seenOfService`. */
  readonly seen: string
}

export type ServiceOutcome =
  | Exclude<ActionOutcome<never>, { kind: "done" }>
  | { readonly kind: "done" }
  /** `changed`: also if the service has changed since the page was opened. Its new state has to be seen first. */
  | FormProblem<ServiceProblem>
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
  const problem = problemOf(details, form)
  const request = { action, subject: `service ${service.id}`, reason, formKey, proof, problem }
  const outcome = await runOperatorForm(services, actor, request, async () => {
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
  return missingReason(reason)
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
  readonly formKey: SentKey
  readonly proof: Proof
}

export type UncoverOutcome = FormOutcome<Credentials, "reason-missing"> | { readonly kind: "no-such-service" }

/** Shows the login details of a service once, with an entry in the audit log. */
export async function uncoverCredentials(
  services: ConsoleServices,
  actor: Actor,
  { number, reason, formKey, proof }: Uncovering,
): Promise<UncoverOutcome> {
  const details = await services.console.services.serviceDetails(number)
  if (!details) return { kind: "no-such-service" }
  const { service } = details
  const problem = missingReason(reason)
  const about = { action: "show-credentials", subject: `service ${service.id}` } as const
  return runOperatorForm(services, actor, { ...about, reason, formKey, proof, problem }, async () => {
    const { username, password, host } = service
    return { value: { username, password, host, playlistAddress: playlistAddress(services, service) } }
  })
}
