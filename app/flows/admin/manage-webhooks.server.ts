import type { Redelivery, WebhookEndpoint } from "~/billing/webhook-repository"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { localInstant } from "~/domain/local-time"
import type { OperatorRole } from "~/domain/operators/operator"
import { addressShownTo, type EndpointAction, endpointAllows } from "~/domain/webhooks/endpoint-actions"
import {
  addEndpoint,
  type EndpointFields,
  type EndpointProblem,
  endpointChanges,
  rotateEndpointSecret,
} from "~/flows/webhooks/manage-endpoints.server"
import { testEndpoint } from "~/flows/webhooks/test-endpoint.server"
import type { SendResult } from "~/webhooks/webhook-sender"
import type { SentKey } from "./form-key.server"
import {
  type ActionOutcome,
  type Actor,
  type FormProblem,
  formSentBefore,
  runOperatorForm,
} from "./run-operator-action.server"

/** An endpoint as a role sees it, without its secrets. */
export type EndpointShown = Pick<
  WebhookEndpoint,
  | "id"
  | "description"
  | "subscriptions"
  | "state"
  | "pauseReason"
  | "pausedAt"
  | "holdUntil"
  | "failingSince"
  | "succeededAt"
  | "createdAt"
> & {
  /** Its URL, or only the host. */
  readonly address: string
  /** Until when the former secret signs too; null: it does not. */
  readonly formerUntil: Instant | null
  /** Events that it is still to get, counted up to `PENDING_LIMIT`. */
  readonly pending: number
  readonly seen: string
}

type Showing = Pick<ConsoleServices, "webhooks" | "now" | "signer">

/** The endpoints that get events, oldest first. */
export async function endpointsShownTo(
  services: Showing,
  role: OperatorRole,
): Promise<readonly EndpointShown[]> {
  const endpoints = await services.webhooks.endpoints()
  return Promise.all(endpoints.map((it) => shownTo(services, role, it)))
}

/** An endpoint; null for an unknown one. */
export async function endpointShownTo(
  services: Showing,
  role: OperatorRole,
  id: string,
): Promise<EndpointShown | null> {
  const endpoint = await services.webhooks.endpoint(id)
  return endpoint && shownTo(services, role, endpoint)
}

async function shownTo(
  { webhooks, now, signer }: Showing,
  role: OperatorRole,
  endpoint: WebhookEndpoint,
): Promise<EndpointShown> {
  const { url, sealedSecret: _, former, position: __, ...shown } = endpoint
  return {
    ...shown,
    address: addressShownTo(role, url),
    formerUntil: former !== null && former.until > now() ? former.until : null,
    pending: await webhooks.pending(endpoint),
    seen: seenOfEndpoint(signer, endpoint),
  }
}

/**
 * What a form says that the operator had seen: another text says that something has changed since. Not every role may see the URL, so it
 * is not readable.
 */
function seenOfEndpoint({ sign }: ConsoleServices["signer"], endpoint: WebhookEndpoint): string {
  const { id, state, pausedAt, url, description, subscriptions, sealedSecret } = endpoint
  return sign(JSON.stringify([id, state, pausedAt, url, description, subscriptions, sealedSecret]))
}

type SentForm = {
  readonly reason: string
  readonly formKey: SentKey
  readonly proof: { readonly password: string; readonly code: string }
}

export type WebhookProblem =
  | EndpointProblem
  | {
      readonly kind:
        | "reason-missing"
        | "changed"
        | "not-allowed"
        | "span-invalid"
        | "no-events"
        | "no-secrets"
    }

type Problem = FormProblem<WebhookProblem>

const problem = (kind: Exclude<WebhookProblem, { kind: "url" }>["kind"]): Problem => ({
  kind: "problem",
  problem: { kind },
})

type NewEndpoint = Awaited<ReturnType<typeof addEndpoint>>

export type NewEndpointForm = SentForm & Required<EndpointFields>

/** A secret, which is shown once. `formerUntil`: until when the former one signs too; null without one. */
export type ShownSecret = {
  readonly id: string
  readonly secret: string
  readonly formerUntil: Instant | null
}

/** Adds an endpoint with a form of the console, and writes the audit log. */
export async function addEndpointByForm(
  services: ConsoleServices,
  actor: Actor,
  form: NewEndpointForm,
): Promise<ActionOutcome<ShownSecret> | Problem> {
  const managing = managingOf(services)
  if (!managing) return problem("no-secrets")
  const wrong = problemOfFields(managing, form) ?? missingReason(form)
  const request = { ...askedOf(form), action: "add-webhook", subject: "webhooks", problem: wrong } as const
  const outcome = await runOperatorForm<NewEndpoint, WebhookProblem>(services, actor, request, async () => {
    const value = await addEndpoint(managing, form)
    if (value.kind === "invalid") return { after: { error: value.problem.kind }, value }
    const { id, host, subscriptions } = value.added
    return { after: { webhook: id, host, types: subscriptions }, value }
  })
  if (outcome.kind !== "done") return outcome
  if (outcome.value.kind === "invalid") return { kind: "problem", problem: outcome.value.problem }
  const { id, secret } = outcome.value.added
  return { kind: "done", value: { id, secret, formerUntil: null } }
}

/** A form of an endpoint's page. `event`: the one to send again; without it those between `from` and `until`. */
export type EndpointForm = SentForm &
  Required<EndpointFields> & {
    readonly action: EndpointAction
    readonly seen: string
    readonly event: string
    readonly from: string
    readonly until: string
  }

export type EndpointResult =
  | { readonly kind: "changed"; readonly by: "edit-webhook" | "pause-webhook" | "resume-webhook" }
  | { readonly kind: "removed" }
  | { readonly kind: "secret"; readonly shown: ShownSecret }
  | { readonly kind: "tested"; readonly result: SendResult }
  | { readonly kind: "due"; readonly count: number }

type EndpointOutcome = ActionOutcome<EndpointResult> | Problem | { readonly kind: "no-such-endpoint" }

/** Does what a form of an endpoint's page asks for, if its state still allows it, and writes the audit log. */
export async function actOnEndpoint(
  services: ConsoleServices,
  actor: Actor,
  { id, form }: { readonly id: string; readonly form: EndpointForm },
): Promise<EndpointOutcome> {
  const endpoint = await services.webhooks.endpoint(id)
  // The form that has removed it, sent twice.
  if (!endpoint) return (await formSentBefore(services, form)) ?? { kind: "no-such-endpoint" }
  const managing = managingOf(services)
  if (!managing) return problem("no-secrets")
  const { action } = form
  const timeZone = services.shop.timeZone
  const wrong = problemOf({ ...managing, timeZone }, endpoint, form)
  const request = { ...askedOf(form), action, subject: `webhook ${id}`, problem: wrong }
  const outcome = await runOperatorForm(services, actor, request, () =>
    effects[action]({ ...managing, timeZone }, endpoint, form),
  )
  if (outcome.kind !== "done") return outcome
  const { value } = outcome
  if (value.kind === "lost") return problem("changed")
  const isNone = value.kind === "due" && value.count === 0
  return isNone ? problem("no-events") : { kind: "done", value }
}

function problemOf(managing: Managing, endpoint: WebhookEndpoint, form: EndpointForm): WebhookProblem | null {
  const { action } = form
  if (action === "test-webhook") return null
  if (action === "redeliver-webhook") return problemOfRedelivery(managing, form)
  if (form.seen !== seenOfEndpoint(managing.signer, endpoint)) return { kind: "changed" }
  if (!endpointAllows(endpoint, action)) return { kind: "not-allowed" }
  return missingReason(form) ?? (action === "edit-webhook" ? problemOfFields(managing, form) : null)
}

function missingReason({ reason }: SentForm): WebhookProblem | null {
  return reason === "" ? { kind: "reason-missing" } : null
}

function problemOfFields(
  { webhookSender }: Pick<Managing, "webhookSender">,
  form: Required<EndpointFields>,
): WebhookProblem | null {
  const checked = endpointChanges(webhookSender, form)
  return checked.kind === "invalid" ? checked.problem : null
}

/** One event is sent again by a button of its row, without a reason. */
function problemOfRedelivery(managing: Managing, form: EndpointForm): WebhookProblem | null {
  if (redeliveryOf(managing, form) === null) return { kind: "span-invalid" }
  return form.event === "" ? missingReason(form) : null
}

type Managing = NonNullable<ReturnType<typeof managingOf>> & { readonly timeZone: string }

/** `lost`: somebody else has changed it at the same time. */
type Effected = EndpointResult | { readonly kind: "lost" }

type Effect = (
  managing: Managing,
  endpoint: WebhookEndpoint,
  form: EndpointForm,
) => Promise<{ before?: unknown; after?: unknown; value: Effected }>

const effects: Readonly<Record<EndpointAction, Effect>> = {
  async "test-webhook"(managing, endpoint) {
    const result = await testEndpoint(managing, endpoint)
    const { status, error } = result
    return { after: { status, error }, value: { kind: "tested", result } }
  },
  async "redeliver-webhook"(managing, { id }, form) {
    const which = redeliveryOf(managing, form)
    const count = which === null ? 0 : await managing.webhooks.redeliver(id, which, managing.now)
    return { after: { ...which, due: count }, value: { kind: "due", count } }
  },
  async "pause-webhook"({ webhooks, now }, { id }) {
    const paused = await webhooks.pauseEndpoint(id, "operator", now)
    return { after: { paused }, value: { kind: "changed", by: "pause-webhook" } }
  },
  async "resume-webhook"({ webhooks, now }, { id, pauseReason }) {
    const resumed = await webhooks.resumeEndpoint(id, now)
    return { before: { pauseReason }, after: { resumed }, value: { kind: "changed", by: "resume-webhook" } }
  },
  async "edit-webhook"({ webhooks, webhookSender, now }, endpoint, form) {
    const checked = endpointChanges(webhookSender, form)
    const isLost =
      checked.kind === "valid" && !(await webhooks.editEndpoint(endpoint.id, checked.changes, now, endpoint))
    if (isLost) return { after: { error: "changed" }, value: { kind: "lost" } }
    const after = (await webhooks.endpoint(endpoint.id)) ?? endpoint
    return {
      before: audited(endpoint),
      after: audited(after),
      value: { kind: "changed", by: "edit-webhook" },
    }
  },
  async "rotate-webhook-secret"(managing, endpoint) {
    const made = await rotateEndpointSecret(managing, endpoint)
    if (!made) return { after: { error: "changed" }, value: { kind: "lost" } }
    return { value: { kind: "secret", shown: { id: endpoint.id, ...made } } }
  },
  async "remove-webhook"({ webhooks }, endpoint) {
    const removed = await webhooks.removeEndpoint(endpoint.id)
    return { before: audited(endpoint), after: { removed }, value: { kind: "removed" } }
  },
}

/** For the audit log: path and query of a receiver's URL may be secret. */
function audited({ url, description, subscriptions }: WebhookEndpoint) {
  return { host: new URL(url).host, description, types: subscriptions }
}

/** What a form means; null if it names neither an event nor a time. Without an end it is all until now. */
function redeliveryOf(
  { timeZone, now }: Pick<Managing, "timeZone" | "now">,
  form: EndpointForm,
): Redelivery | null {
  if (form.event !== "") return { eventId: form.event }
  const from = localInstant(form.from, timeZone)
  const until = form.until === "" ? now : localInstant(form.until, timeZone)
  return from === null || until === null || from >= until ? null : { from, until }
}

/** Null without `OPERATOR_SECRETS`, which encrypt the secrets. */
function managingOf({ webhooks, webhookSender, signer, newId, now }: ConsoleServices) {
  return webhookSender && { webhooks, webhookSender, signer, newId, now: now() }
}

const askedOf = ({ reason, formKey, proof }: SentForm) => ({ reason, formKey, proof })
