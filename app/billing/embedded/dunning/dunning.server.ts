import type { DueService, Dunning, ServiceEnd } from "~/billing/services/dunning"
import { DAY, type Instant } from "~/domain/calendar"
import { graceEnd } from "~/domain/services/dunning"
import { type DbContext, guarded } from "../db/transaction.server"
import { nextPlan } from "../services/next-plan.server"
import { storedService } from "../services/next-step.server"
import { brakeOn, ending, observe, panelFails, recordOutage, release, stop } from "./brake.server"
import { replanReminders } from "./replan-reminders.server"
import { takeStep } from "./take-step.server"

/** Dunning of a database. */
export function dunningOf(ctx: DbContext): Dunning {
  return guarded<Dunning>(ctx, {
    due: dueServices,
    take: takeStep,
    ending,
    brake: brakeOn,
    stop,
    release,
    observe,
    recordOutage,
    panelFails,
    replanReminders,
    endOf,
  })
}

/** Services with a due step: see `Dunning.due`. */
async function dueServices({ db }: DbContext, now: Instant, limit: number): Promise<readonly DueService[]> {
  const rows = await db
    .selectFrom("services")
    .select(["id", "next_step", "next_step_at", "balance_renewal"])
    .where("next_step_at", "<=", now)
    .orderBy("next_step_at")
    .limit(limit)
    .execute()
  return rows.flatMap(({ id, next_step: step, next_step_at: at, balance_renewal }) =>
    step === null || at === null
      ? []
      : [{ serviceId: id, step, at, renewsFromCredit: balance_renewal === 1 }],
  )
}

/** What messages say about the end of a service: see `Dunning.endOf`. */
async function endOf(ctx: DbContext, serviceId: string): Promise<ServiceEnd | null> {
  const { terms } = ctx
  const found = await storedService(ctx, serviceId)
  if (!found || !terms) return null
  const { row, dunned, isLast } = found
  const { paid_until: paidUntil } = row
  if (paidUntil === null) return null
  const stored = (step: string) => (row.next_step === step ? row.next_step_at : null)
  const suspension = row.suspended_at ?? stored("suspend") ?? graceEnd(dunned, terms) ?? paidUntil
  return {
    orderId: row.order_id,
    product: row.name,
    username: row.username,
    paidUntil,
    suspension,
    heldSince: row.held_since,
    isDeclined: row.declined_at !== null,
    isLast: isLast && (await nextPlan(ctx, serviceId)) === null,
    isTrial: dunned.isTrial,
    termination: stored("terminate") ?? suspension + terms.terminateAfterDays * DAY,
  }
}
