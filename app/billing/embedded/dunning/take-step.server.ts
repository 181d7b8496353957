import type { DueService, StepOutcome } from "~/billing/services/dunning"
import type { TermPolicy } from "~/billing/services/term-policy"
import { HOUR, type Instant } from "~/domain/calendar"
import {
  type DunningStep,
  dueStep,
  effectiveEnd,
  firstStep,
  isDecisive,
  isRunningTrial,
  type NextStep,
  NOTICE_BEFORE,
  stepAfter,
} from "~/domain/services/dunning"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { ServiceRow } from "../db/schema/order-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { enqueueDunningMail, type Notice, noticeOf } from "../mail/dunning-mails.server"
import { isPaymentInFlight } from "../payments/payments-in-flight.server"
import { type StoredService, storedService } from "../services/next-step.server"
import { suspend, terminate } from "../services/service-state.server"
import { appendServiceEvent } from "../services/service-terms.server"
import { outageDuring, releasedAt } from "./brake.server"

/** How often a service is looked at again whose payment is in flight or whose notice nobody has tried to send. */
const LOOK_AGAIN = HOUR

type Taking = StoredService & {
  readonly tx: DbContext
  readonly terms: TermPolicy
  readonly due: DueService
  readonly now: Instant
}

/** Takes the step of one service: see `Dunning.take`. */
export async function takeStep(ctx: DbContext, due: DueService, now: Instant): Promise<StepOutcome> {
  const { terms } = ctx
  if (!terms) return { kind: "taken" }
  return inTransaction(ctx, async (tx) => {
    const found = await storedService(tx, due.serviceId)
    const { next_step, next_step_at } = found?.row ?? {}
    if (!found || next_step !== due.step || next_step_at !== due.at) return { kind: "taken" }
    const taking: Taking = { ...found, tx, terms, due, now }
    const step = dueStep(found.dunned, terms, { stored: due.step, at: now })
    if (step === null) return put(taking, "moved", firstStep(found.dunned, terms, now))
    return (await held(taking)) ?? take(taking, step)
  })
}

/** Puts the step off while a payment is in flight, for at most so many hours since the first time. */
async function held(taking: Taking): Promise<StepOutcome | null> {
  const { tx, row, terms, due, now } = taking
  const since = row.held_since ?? now
  const until = since + terms.holdHours * HOUR
  if (now >= until || !(await isPaymentInFlight(tx, row.id, now))) return null
  const outcome = await put(
    taking,
    "held",
    { step: due.step, at: Math.min(now + LOOK_AGAIN, until) },
    { held_since: since },
  )
  if (row.held_since === null)
    await appendServiceEvent(tx, row.id, { kind: "held", at: now, detail: { step: due.step, until } })
  return outcome
}

async function take(taking: Taking, step: DunningStep): Promise<StepOutcome> {
  if (isDecisive(step)) return end(taking, step)
  const { tx, row, dunned, terms, now } = taking
  await put(taking, "done", stepAfter(dunned, terms, { done: step, at: now }))
  await appendServiceEvent(tx, row.id, { kind: "reminded", at: now, detail: { step } })
  await enqueueDunningMail(tx, row, { step, at: now })
  return { kind: "done", step }
}

const noticeBefore = { suspend: "notice", terminate: "last-notice" } as const

/** Suspends or terminates a service, unless its customer has not had a day's notice or could not renew meanwhile. */
async function end(taking: Taking, step: "suspend" | "terminate"): Promise<StepOutcome> {
  const notice = await noticeFor(taking, step)
  if (notice === "missing") return take(taking, noticeBefore[step])
  const obstacle = (await tooEarly(taking, step, notice)) ?? (await braked(taking, notice))
  if (obstacle !== null) return obstacle
  await put(taking, "done", null)
  return carryOut(taking, step)
}

/** The notice that the customer has had of a step; null if none is needed. */
async function noticeFor(
  { tx, row, dunned }: Taking,
  step: "suspend" | "terminate",
): Promise<Notice | null | "missing"> {
  if (!dunned.isMailed || isRunningTrial(dunned)) return null
  // A customer who does not want to renew is told of the termination once it has come.
  if (step === "terminate" && dunned.declinedAt !== null) return null
  return (await noticeOf(tx, row, noticeBefore[step])) ?? "missing"
}

/** Puts the step off until a day after its notice was first tried. */
async function tooEarly(
  taking: Taking,
  step: "suspend" | "terminate",
  notice: Notice | null,
): Promise<StepOutcome | null> {
  if (notice === null) return null
  const { now } = taking
  if (notice.attemptedAt === null) return put(taking, "waiting", { step, at: now + LOOK_AGAIN })
  const at = notice.attemptedAt + NOTICE_BEFORE
  return at > now ? put(taking, "waiting", { step, at }) : null
}

/** Whether the customer could not be told, or could not renew, since the notice; the operator may overrule it. */
async function braked(
  { tx, dunned, terms, now }: Taking,
  notice: Notice | null,
): Promise<StepOutcome | null> {
  const from = Math.min(notice?.enqueuedAt ?? now, graceStart({ dunned, terms, now }))
  const isUnsent = notice !== null && !notice.isSettled && notice.enqueuedAt > (await releasedAt(tx))
  if (isUnsent) return { kind: "braked", outage: { part: "mail", since: from, until: now } }
  const outage = await outageDuring(tx, { from, until: now })
  return outage && { kind: "braked", outage }
}

/** When the grace began of a service that would be suspended; a termination has its notice alone. */
function graceStart({ dunned, terms, now }: Pick<Taking, "dunned" | "terms" | "now">): Instant {
  return dunned.status === "Active" ? (effectiveEnd(dunned, terms) ?? now) : now
}

/** Changes the service, which tells the panel and its timeline, and tells the customer. */
async function carryOut(
  { tx, row, dunned, now }: Taking,
  step: "suspend" | "terminate",
): Promise<StepOutcome> {
  const cause = { owner: "non-payment", reason: null, at: now } as const
  await (step === "suspend" ? suspend(tx, row.id, cause) : terminate(tx, row.id, cause))
  if (dunned.isMailed) await enqueueDunningMail(tx, row, { step, at: now })
  return { kind: "done", step }
}

type Changes = Partial<Pick<ServiceRow, "held_since">>

/** Stores the next step with other changes, unless another transaction has changed the service since it was read. */
async function put<Kind extends StepOutcome["kind"]>(
  { tx, row, due }: Taking,
  kind: Kind,
  next: { readonly step: NextStep["step"] | string; readonly at: Instant } | null,
  changes: Changes = {},
): Promise<{ kind: Kind }> {
  const { numUpdatedRows } = await tx.db
    .updateTable("services")
    .set({ ...changes, next_step: next?.step ?? null, next_step_at: next?.at ?? null })
    .where("id", "=", row.id)
    .where("status", "=", row.status)
    .where("next_step", "=", due.step)
    .where("next_step_at", "=", due.at)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new WriteConflictError(`Next step of service ${row.id}`)
  return { kind }
}
