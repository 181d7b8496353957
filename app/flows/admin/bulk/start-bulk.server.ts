import type { BulkRuns } from "~/billing/operators/bulk-runs"
import type { OperatorSession } from "~/billing/operators/operators"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { type BulkAction, type BulkKind, bulkActions, isResendMessage } from "~/domain/console/bulk"
import { mayDo } from "~/domain/operators/operator"
import type { SentKey } from "../form-key.server"
import {
  type ActionOutcome,
  type Actor,
  type FormProblem,
  missingReason,
  runOperatorForm,
} from "../run-operator-action.server"
import { daysIn } from "../services/change-service.server"
import type { BulkQuery } from "./bulk-query.server"
import { type BulkFilter, type ChoosingServices, type Chosen, chooseRows } from "./choose-bulk.server"

/** Why nothing was begun. */
export type BulkProblem =
  | "reason-missing"
  | "days-invalid"
  | "message-unknown"
  /** A condition is not valid: without it other rows would be meant. */
  | "filter-invalid"
  | "nothing-found"
  | "too-many"
  /** More rows match than the operator has seen. */
  | "changed"
  /** An external billing has the state of the services. */
  | "elsewhere"

/** What is done, to which rows, and why. */
export type BulkRequest = {
  readonly kind: BulkKind
  readonly chosen: BulkFilter
  /** The conditions as they were given: for the run's page. */
  readonly conditions: Readonly<Record<string, unknown>>
  /** Days to give, as typed. */
  readonly days: string
  /** The kind of message that is sent again; empty: the newest of any kind. */
  readonly message: string
  readonly reason: string
  /** What the operator has seen: the time, and how many rows. */
  readonly shownAt: Instant
  readonly count: number
}

export type PreparingServices = ChoosingServices & {
  readonly bulk: BulkRuns
  readonly now: () => Instant
  readonly newId: () => string
  readonly wakeJobs: () => void
  /** It has the ends of the services. */
  readonly hasExternalBilling: boolean
}

/** What the console's services are to bulk actions. */
export function preparingOf(services: ConsoleServices): PreparingServices {
  const { console, bulk, now, newId, wakeJobs, hasExternalBilling } = services
  const { orders, services: admin } = console
  return {
    orders,
    services: admin,
    clock: console.machineNow,
    bulk,
    now,
    newId,
    wakeJobs,
    hasExternalBilling,
  }
}

/** Whether the shop has the action: an external billing has the state of the services. */
export function offersBulk(
  { action }: Pick<BulkKind, "action">,
  { hasExternalBilling }: { readonly hasExternalBilling: boolean },
): boolean {
  return action !== "extend-service" || !hasExternalBilling
}

/** Actions on many rows that an operator may do in this shop. */
export function bulkOffers(
  { hasExternalBilling }: Pick<ConsoleServices, "hasExternalBilling">,
  { role }: Pick<OperatorSession, "role">,
): readonly BulkAction[] {
  return Object.values(bulkActions)
    .flat()
    .filter((action) => mayDo(role, action))
    .filter((action) => offersBulk({ action }, { hasExternalBilling }))
}

type Prepared = {
  readonly problem: BulkProblem | null
  readonly chosen: Chosen
  readonly days: number | null
}

/** Finds the rows of a request anew, and says what keeps it from being begun. */
export async function prepareBulk(services: PreparingServices, request: BulkRequest): Promise<Prepared> {
  const { kind, reason, shownAt, count } = request
  const isExtension = kind.action === "extend-service"
  const isKnown = request.message === "" || isResendMessage(request.message)
  const days = isExtension ? daysIn(request.days) : null
  const chosen = await chooseRows(services, { ...request.chosen, action: kind.action, until: shownAt + 1 })
  const first: BulkProblem | null = offersBulk(kind, services) ? problemOf(chosen, count) : "elsewhere"
  if (first) return { problem: first, chosen, days }
  if (isExtension && days === null) return { problem: "days-invalid", chosen, days }
  if (!isKnown) return { problem: "message-unknown", chosen, days }
  return { problem: missingReason(reason), chosen, days }
}

function problemOf({ items, isCut }: Chosen, count: number): BulkProblem | null {
  if (isCut) return "too-many"
  if (items.length === 0) return "nothing-found"
  return items.length > count ? "changed" : null
}

/** Who begins or stops a run: an operator, or the admin CLI. */
type Starter = { readonly operatorId: string | null; readonly operator: string }

/** Begins a run of what was prepared. Idempotent by its id. */
export async function beginRun(
  { bulk, now, wakeJobs }: PreparingServices,
  request: BulkRequest,
  { id, chosen, days, ...starter }: Starter & Pick<Prepared, "chosen" | "days"> & { readonly id: string },
): Promise<void> {
  const { kind, reason } = request
  const conditions = conditionsOf(request)
  await bulk.begin({ ...kind, id, conditions, days, reason, ...starter, at: now() }, chosen.items)
  wakeJobs()
}

/** The filter, and what is sent again. */
function conditionsOf({ kind, conditions, message }: BulkRequest): BulkRequest["conditions"] {
  return kind.action === "resend-mail" && message !== "" ? { ...conditions, message } : conditions
}

export type BulkForm = Omit<BulkRequest, "chosen" | "conditions"> & {
  readonly query: BulkQuery
  readonly formKey: SentKey
  readonly proof: { readonly password: string; readonly code: string }
}

export type BulkOutcome =
  | Exclude<ActionOutcome<never>, { kind: "done" }>
  | { readonly kind: "begun"; readonly id: string }
  | { readonly kind: "problem"; readonly problem: BulkProblem }

/** Begins an action on all rows of a filter, for an operator whose role may do it to one, and writes the audit log. */
export async function startBulk(
  services: ConsoleServices,
  actor: Actor,
  { query, formKey, proof, ...asked }: BulkForm,
): Promise<BulkOutcome> {
  const preparing = preparingOf(services)
  const request = { ...asked, chosen: query.chosen, conditions: query.typed }
  const { action } = asked.kind
  // What a role may not do is refused, and recorded, by `runOperatorForm`, without a look at the rows.
  const isAsked = mayDo(actor.session.role, action) && query.invalid.length === 0
  const prepared = isAsked ? await prepareBulk(preparing, request) : null
  const problem = query.invalid.length > 0 ? "filter-invalid" : (prepared?.problem ?? null)
  const id = services.newId()
  const about = { action, subject: `bulk ${id}`, reason: asked.reason, formKey, proof, problem }
  const outcome = await runOperatorForm(services, actor, about, async () => {
    const { operatorId, email: operator } = actor.session
    if (prepared) await beginRun(preparing, request, { id, operatorId, operator, ...prepared })
    const count = prepared?.chosen.items.length
    return {
      after: { list: asked.kind.list, conditions: conditionsOf(request), days: prepared?.days, count },
      value: id,
    }
  })
  return outcome.kind === "done" ? { kind: "begun", id: outcome.value } : outcome
}

type StopForm = {
  readonly id: string
  readonly reason: string
  readonly formKey: SentKey
}

export type StopOutcome =
  | ActionOutcome<boolean>
  | { readonly kind: "no-such-run" }
  | FormProblem<"reason-missing">

/** Stops a run, with an entry in the audit log. `done` with false: it had ended already. */
export async function stopBulk(
  services: ConsoleServices,
  actor: Actor,
  { id, reason, formKey }: StopForm,
): Promise<StopOutcome> {
  const run = await services.bulk.find(id)
  if (!run) return { kind: "no-such-run" }
  const problem = missingReason(reason)
  const about = { action: "stop-bulk", subject: `bulk ${id}`, reason, formKey, problem } as const
  return runOperatorForm(services, actor, about, async () => {
    const stopped = await services.bulk.stop(id, { by: actor.session.email, at: services.now() })
    return { before: run.counts, after: { stopped }, value: stopped }
  })
}
