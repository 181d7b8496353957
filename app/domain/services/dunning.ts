import { DAY, HOUR, type Instant } from "../calendar"
import { trialReminderAt } from "../catalogue/trial"
import type { Service } from "./service"

/**
 * What happens to a service that nobody renews, in this order (specification, Dunning). `reminder-1` is the longest before
 * the end. `notice`: the end has come, and with it the day of the suspension. `trial-reminder`: the only one before the end of a
 * free trial, which has no grace.
 */
export type DunningStep =
  | `reminder-${number}`
  | "trial-reminder"
  | "notice"
  | "suspend"
  | "last-notice"
  | "terminate"

/** A step, and the earliest time for it. */
export type NextStep = { readonly step: DunningStep; readonly at: Instant }

/** The shop's rules, from its configuration. */
export type DunningPolicy = {
  /** Days before the end of a term, longest first. */
  readonly reminders: readonly number[]
  readonly graceDays: number
  /** Days from the suspension to the termination. */
  readonly terminateAfterDays: number
}

/** What decides the steps of a service. */
export type DunnedService = Pick<
  Service,
  "status" | "paidUntil" | "suspension" | "declinedAt" | "balanceRenewal"
> & {
  /** Length of its last term in milliseconds: a reminder that is longer than half of it is left out. */
  readonly termLength: number
  /** The term is a free trial. */
  readonly isTrial: boolean
  /** Nothing is suspended or terminated before; null: no limit. */
  readonly notBefore: Instant | null
  /** Days from the end to the suspension, if its product has its own. */
  readonly graceDays: number | null
  /** Whether its customer gets mail from the shop: not without a mail server, and not a reseller's customer. */
  readonly isMailed: boolean
}

/** Shortest time between a notice and what it announces. */
export const NOTICE_BEFORE = 24 * HOUR
/** A last notice comes so long before the termination, or at half of the time if that is shorter. */
const LAST_NOTICE_BEFORE = 3 * DAY

/**
 * The end that reminders and grace refer to: the end of the paid time, or so much later that the grace ends when the
 * protection of the service does. Null: no end.
 */
export function effectiveEnd(service: DunnedService, policy: DunningPolicy): Instant | null {
  if (service.paidUntil === null) return null
  return Math.max(service.paidUntil, (service.notBefore ?? 0) - graceOf(service, policy))
}

/** Until when an unpaid service works. Null: no end. */
export function graceEnd(service: DunnedService, policy: DunningPolicy): Instant | null {
  const end = effectiveEnd(service, policy)
  return end === null ? null : end + graceOf(service, policy)
}

function graceOf({ graceDays, isTrial }: DunnedService, policy: DunningPolicy): number {
  return isTrial ? 0 : (graceDays ?? policy.graceDays) * DAY
}

/**
 * The first step of a service that was activated, renewed, resumed or suspended at `at`; null if there is none. Reminders
 * whose time is over are left out.
 */
export function firstStep(service: DunnedService, policy: DunningPolicy, at: Instant): NextStep | null {
  return nextAmong(stepsOf(service, policy), at)
}

/**
 * What is to be done at `at` for a service whose stored step is due: the last of its reminders and notices whose time has
 * come, since each says more than the one before. Null: nothing yet, since renewal or configuration have moved the steps.
 */
export function dueStep(
  service: DunnedService,
  policy: DunningPolicy,
  { stored, at }: { stored: string; at: Instant },
): DunningStep | null {
  const steps = stepsFrom(stepsOf(service, policy), stored)
  const due = steps.slice(
    0,
    indexOr(steps, (it) => it.at > at, steps.length),
  )
  // The reminder is of no use once the trial is over.
  if (isRunningTrial(service)) return due.at(-1)?.step ?? null
  const last = due
    .slice(
      0,
      indexOr(due, ({ step }) => isDecisive(step), due.length),
    )
    .at(-1)
  return (last ?? due[0])?.step ?? null
}

/** The step after a reminder or notice that was given at `at`: never less than `NOTICE_BEFORE` after a notice of it. */
export function stepAfter(
  service: DunnedService,
  policy: DunningPolicy,
  { done, at }: { done: DunningStep; at: Instant },
): NextStep | null {
  const next = nextAmong(stepsFrom(stepsOf(service, policy), done).slice(1), at)
  if (next === null || !isDecisive(next.step) || isRunningTrial(service)) return next
  return { ...next, at: Math.max(next.at, at + NOTICE_BEFORE) }
}

/** Whether a service is a free trial that works: it is suspended at its end, without the notice that a paid term has. */
export function isRunningTrial({ isTrial, status }: Pick<DunnedService, "isTrial" | "status">): boolean {
  return isTrial && status === "Active"
}

/** Whether a step changes the service. */
export function isDecisive(step: DunningStep): step is "suspend" | "terminate" {
  return step === "suspend" || step === "terminate"
}

/** All steps of a service in its status, with the earliest time of each. */
function stepsOf(service: DunnedService, policy: DunningPolicy): readonly NextStep[] {
  const end = effectiveEnd(service, policy)
  if (end === null) return []
  if (service.status === "Active") return stepsToSuspension(service, policy, end)
  const { suspension } = service
  // A suspension by the operator, for fraud or by the panel is theirs to lift or to end.
  if (service.status !== "Suspended" || suspension?.owner !== "non-payment") return []
  return stepsToTermination(service, policy, suspension.at)
}

function stepsToSuspension(service: DunnedService, policy: DunningPolicy, end: Instant): readonly NextStep[] {
  const grace = graceOf(service, policy)
  const suspend = { step: "suspend", at: end + grace } as const
  if (!service.isMailed) return [suspend]
  if (service.isTrial) {
    const reminder = { step: "trial-reminder", at: trialReminderAt(end, service.termLength) } as const
    return service.declinedAt === null ? [reminder, suspend] : [suspend]
  }
  // Whether the credit renews it is known at the end: only then is there something to do for the customer.
  const notice = {
    step: "notice",
    at: service.balanceRenewal ? end : end + Math.min(0, grace - NOTICE_BEFORE),
  } as const
  if (service.declinedAt !== null) return [notice, suspend]
  const reminders = policy.reminders
    .map((days, index) => ({ step: `reminder-${index + 1}` as const, days, at: end - days * DAY }))
    .filter(({ days, at }) => days * DAY <= service.termLength / 2 && at < notice.at)
  return [...reminders.map(({ step, at }) => ({ step, at })), notice, suspend]
}

function stepsToTermination(
  { notBefore, isMailed, declinedAt }: DunnedService,
  { terminateAfterDays }: DunningPolicy,
  suspendedAt: Instant,
): readonly NextStep[] {
  const at = Math.max(suspendedAt + terminateAfterDays * DAY, notBefore ?? 0)
  const terminate = { step: "terminate", at } as const
  if (!isMailed || declinedAt !== null) return [terminate]
  return [{ step: "last-notice", at: at - Math.min(LAST_NOTICE_BEFORE, (at - suspendedAt) / 2) }, terminate]
}

/** The steps from `step` on; all if it is none of them, because the configuration has changed. */
function stepsFrom(steps: readonly NextStep[], step: string): readonly NextStep[] {
  return steps.slice(indexOr(steps, (it) => it.step === step, 0))
}

/** The first of some steps that is not a missed reminder. */
function nextAmong(steps: readonly NextStep[], at: Instant): NextStep | null {
  const next = steps.find((it) => !isReminder(it.step) || it.at > at)
  return next ? { ...next, at: Math.max(next.at, at) } : null
}

/** Whether a step only reminds: one that is missed is left out. */
export function isReminder(step: DunningStep): step is `reminder-${number}` | "trial-reminder" {
  return step.startsWith("reminder-") || step === "trial-reminder"
}

function indexOr<T>(list: readonly T[], test: (item: T) => boolean, otherwise: number): number {
  const index = list.findIndex(test)
  return index === -1 ? otherwise : index
}
