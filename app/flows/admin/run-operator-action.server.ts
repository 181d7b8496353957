import type { NewAuditEntry } from "~/billing/operators/audit-log"
import type { OperatorSession } from "~/billing/operators/operators"
import type { Console, ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import {
  ADMIN_CLI,
  actsOnce,
  mayDo,
  needsProof,
  type OperatorAction,
  PROOF_PERIOD,
} from "~/domain/operators/operator"
import { checkFactors } from "./check-factors.server"
import { isFormKey, type SentKey, typedMark } from "./form-key.server"

/** A signed-in operator. */
export type Actor = { readonly session: OperatorSession; readonly address: string | null }

export type ActionRequest = {
  readonly action: OperatorAction
  /** What it is about, such as "order 7BQ697JNZK". */
  readonly subject: string
  readonly reason: string | null
  readonly formKey: SentKey
  /** Whether the form acts again if it is sent with other values. Otherwise it acts once, whatever is typed. */
  readonly actsAgain?: boolean
  /** Password and code given with the form, if it asked for them. */
  readonly proof?: { readonly password: string; readonly code: string } | null
}

/** `before` and `after`: for the audit log, without e-mail addresses and secrets. */
export type ActionRun<T> = () => Promise<{
  readonly before?: unknown
  readonly after?: unknown
  readonly value: T
}>

export type ActionOutcome<T> =
  | { readonly kind: "done"; readonly value: T }
  /** The role may not do it. */
  | { readonly kind: "forbidden" }
  /** Password and code are needed: the form shows their fields. */
  | { readonly kind: "unproven"; readonly problem: "missing" | "wrong" | "too-many" }
  /** The form has acted already, with the same values. */
  | { readonly kind: "repeated" }
  /** The form has acted already, with other values: what it says now was not done. */
  | { readonly kind: "sent-otherwise" }
  /** The form is not one of this session. */
  | { readonly kind: "stale-form" }

type Refusal = Exclude<ActionOutcome<never>, { kind: "done" }>

type ActionServices = Pick<
  ConsoleServices,
  "console" | "rateLimits" | "now" | "clockAhead" | "log" | "signer"
>

/**
 * Runs an action of the console: checks role, form and proof, and writes the audit log. The first entry is written before the
 * action and takes the form key, so that nothing happens without an entry, and no form acts twice but those that hand data
 * out. Rethrows the error of a failed action, after recording it.
 */
export async function runOperatorAction<T>(
  services: ActionServices,
  actor: Actor,
  request: ActionRequest,
  run: ActionRun<T>,
): Promise<ActionOutcome<T>> {
  const refusal = await refusalOf(services, actor, request)
  if (refusal) return refusal
  const entry = { ...request, ...whoIs(actor), ...markOf(services, request) }
  const outcome = await audited(logOf(services), entry, run)
  if (outcome) return { kind: "done", value: outcome.value }
  return (await formSentBefore(services, request)) ?? { kind: "repeated" }
}

/** Why nothing was done, beyond what keeps every action from being done. */
export type FormProblem<P> = { readonly kind: "problem"; readonly problem: P }

export type FormOutcome<T, P> = ActionOutcome<T> | FormProblem<P>

type FormRequest<P> = Omit<ActionRequest, "reason"> & {
  readonly reason: string
  /** What is wrong with what was typed, or with the state of what it is about; null: nothing. */
  readonly problem: P | null
}

/** The problem of a form whose action needs a reason and has none. */
export function missingReason(reason: string): "reason-missing" | null {
  return reason === "" ? "reason-missing" : null
}

/**
 * Runs what a form asks for. Its problem is told to those who may do the action, before password and code are asked for; of
 * the others the attempt is refused, and recorded. Of a form that has acted that is told first: what it has done itself is no problem.
 */
export async function runOperatorForm<T, P>(
  services: ActionServices,
  actor: Actor,
  { problem, ...request }: FormRequest<P>,
  run: ActionRun<T>,
): Promise<FormOutcome<T, P>> {
  if (problem !== null && mayDo(actor.session.role, request.action))
    return (await formSentBefore(services, request)) ?? { kind: "problem", problem }
  return runOperatorAction(services, actor, { ...request, reason: request.reason || null }, run)
}

type Marked = Pick<ActionRequest, "action" | "formKey" | "actsAgain">

/** What the first entry of an action keeps of its form: each key is taken once. */
function markOf(
  services: Pick<ActionServices, "signer">,
  { action, formKey, actsAgain = false }: Marked,
): Pick<Audited, "formKey" | "formTyped"> {
  if (!actsOnce(action)) return { formKey: null, formTyped: null }
  const formTyped = typedMark(services, formKey)
  return { formKey: actsAgain ? `${formKey.key}.${formTyped}` : formKey.key, formTyped }
}

/** Whether the form of a request has acted already, and with which values; null: it has not. */
export async function formSentBefore(
  services: Pick<ActionServices, "console" | "signer">,
  request: Marked,
): Promise<{ readonly kind: "repeated" | "sent-otherwise" } | null> {
  const { formKey, formTyped } = markOf(services, request)
  const sent = formKey === null ? null : await services.console.auditLog.sentForm(formKey)
  if (!sent) return null
  const isSame = sent.typed === null || sent.typed === formTyped
  return { kind: isSame ? "repeated" : "sent-otherwise" }
}

type Log = Pick<Console, "auditLog"> & Pick<ConsoleServices, "now">

/** Runs an action of the admin CLI, which may do everything, and writes the audit log. */
export async function runCliAction<T>(
  log: Log,
  request: Pick<Audited, "action" | "subject" | "reason">,
  run: ActionRun<T>,
): Promise<T> {
  const outcome = await audited(
    log,
    { ...request, operatorId: null, operator: ADMIN_CLI, formKey: null, formTyped: null },
    run,
  )
  // Without a form key nothing is repeated.
  if (!outcome) throw new Error("The audit log has not taken an entry")
  return outcome.value
}

type Audited = Pick<ActionRequest, "subject" | "reason"> &
  Pick<NewAuditEntry, "action" | "operatorId" | "operator"> & {
    readonly formKey: string | null
    readonly formTyped: string | null
  }

/** Messages of errors may name the address that was typed. */
function withoutEmails(message: string): string {
  const words = message.split(" ")
  return words.map((word) => (word.includes("@") ? "…" : word)).join(" ")
}

/** Null if the form has acted already. */
async function audited<T>(
  { auditLog, now }: Log,
  { action, subject, reason, operatorId, operator, formKey, formTyped }: Audited,
  run: ActionRun<T>,
): Promise<{ readonly value: T } | null> {
  const entry = { action, subject, reason, operatorId, operator }
  const started = { ...entry, at: now(), outcome: "started", formKey, formTyped } as const
  if ((await auditLog.append(started)) === null) return null
  try {
    const { before, after, value } = await run()
    await auditLog.append({ ...entry, at: now(), outcome: "done", before, after })
    return { value }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const failure = { error: withoutEmails(message) }
    await auditLog.append({ ...entry, at: now(), outcome: "failed", after: failure })
    throw error
  }
}

const logOf = ({ console: { auditLog }, now }: ActionServices): Log => ({ auditLog, now })

const whoIs = ({ session }: Actor) => ({ operatorId: session.operatorId, operator: session.email })

async function refusalOf(
  services: ActionServices,
  actor: Actor,
  request: ActionRequest,
): Promise<Refusal | null> {
  const { session } = actor
  const { action, subject, reason, formKey } = request
  if (!isFormKey(services, session, formKey)) return { kind: "stale-form" }
  if (!mayDo(session.role, action)) {
    const entry = { at: services.now(), action, subject, reason, outcome: "failed" } as const
    await services.console.auditLog.append({ ...entry, ...whoIs(actor), after: { error: "forbidden" } })
    return { kind: "forbidden" }
  }
  return needsProof(action) ? unprovenOf(services, actor, request) : null
}

/** Whether password and code were given in the last 10 minutes. */
export function isProven({ provenAt }: Pick<OperatorSession, "provenAt">, now: Instant): boolean {
  return now - provenAt < PROOF_PERIOD
}

async function unprovenOf(
  services: ActionServices,
  { session, address }: Actor,
  { proof }: ActionRequest,
): Promise<Refusal | null> {
  if (isProven(session, services.now())) return null
  if (!proof?.password) return { kind: "unproven", problem: "missing" }
  const factors = { email: session.email, ...proof }
  const check = await checkFactors(services, factors, { address, isSignedIn: true })
  if (check.kind !== "right") return { kind: "unproven", problem: check.kind }
  await services.console.operators.prove(session.id, services.now())
  return null
}
