import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { changeableFrom } from "~/domain/services/plan-change"
import { endOfTerm, type Term, withDays } from "~/domain/services/term"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { ServiceRow } from "../db/schema/order-rows"
import type { PlanChangeRow } from "../db/schema/term-rows"
import type { DbContext } from "../db/transaction.server"
import { requeueJob } from "../jobs/outbox.server"
import type { NewTimelineEvent } from "../orders/timeline.server"
import { priceOf } from "../services/next-plan.server"
import { isAsRead, storeNextStep } from "../services/next-step.server"
import { knownServiceRow, notDeclined } from "../services/service-row.server"
import { appendServiceEvent } from "../services/service-terms.server"
import { type Covered, creditInstead } from "./credit-instead.server"

/**
 * Gives the service of a paid change its new plan, once, in the current transaction. If it is not the service any more that the
 * figures were computed for, it stays as it is, and what was paid becomes account credit. Returns the timeline events that follow
 * the payment's.
 */
export async function applyPlanChange(
  tx: DbContext,
  orderId: string,
  { at, isSettled }: Covered,
): Promise<readonly NewTimelineEvent[]> {
  const change = await tx.db
    .selectFrom("plan_changes")
    .selectAll()
    .where("order_id", "=", orderId)
    .executeTakeFirstOrThrow()
  const row = await knownServiceRow(tx, change.service_id)
  if (!isAsShown({ change, row, at })) return creditInstead(tx, orderId, { at, isSettled })
  const { numUpdatedRows } = await tx.db
    .updateTable("plan_changes")
    .set({ applied_at: at })
    .where("order_id", "=", orderId)
    .where("applied_at", "is", null)
    .executeTakeFirst()
  if (numUpdatedRows === 1n) await changeService(tx, { change, row, at })
  return []
}

type Applying = { readonly change: PlanChangeRow; readonly row: ServiceRow; readonly at: Instant }

/**
 * Whether the service has still the plan, the paid time and the connections that the figures were computed for. Paying terms of the
 * plan that follows has given it another anchor.
 */
function isAsShown({ change, row, at }: Applying): boolean {
  return (
    row.status === "Active" &&
    (row.paid_until ?? 0) > at &&
    change.paid_until > at &&
    row.product_id === change.former_product_id &&
    row.cycle === change.former_cycle &&
    row.term_anchor === change.former_anchor &&
    row.term_count === change.former_count &&
    row.connections === change.former_connections &&
    changeableFrom(row.plan_changed_at, at) === null
  )
}

async function changeService(tx: DbContext, { change, row, at }: Applying): Promise<void> {
  const { id } = row
  const { product_id, name, cycle, price, currency, order_id: order } = change
  const term = await termAfter(tx, change, row)
  const paidUntil = endOfTerm(term, cycle)
  const { numUpdatedRows } = await tx.db
    .updateTable("services")
    .set({
      product_id,
      name,
      cycle,
      term_anchor: term.anchor,
      term_zone: term.zone,
      term_count: term.count,
      extra_days: term.extraDays,
      paid_until: paidUntil,
      plan_changed_at: at,
      // That the customer does not want to renew was said about the former end.
      ...(change.kind !== "same-end" && notDeclined),
      ...priceOf({ price: money(price, currency) }),
    })
    .where("id", "=", id)
    .where("connections", "=", row.connections)
    .where(isAsRead(row))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new WriteConflictError(`Plan of service ${id}`)
  await tx.db.deleteFrom("next_plans").where("service_id", "=", id).execute()
  const detail = { order, plan: name, cycle, price, currency, paidUntil }
  await appendServiceEvent(tx, id, { kind: "plan-changed", at, detail })
  await requeueJob(tx, { topic: "plan", subject: id, at })
  if (paidUntil !== row.paid_until) await requeueJob(tx, { topic: "extend", subject: id, at })
  await storeNextStep(tx, id, at)
}

/** The term as it was shown, with the days that the operator has given or taken since. */
async function termAfter(tx: DbContext, change: PlanChangeRow, { extra_days }: ServiceRow): Promise<Term> {
  const { term_anchor: anchor, term_zone: zone, term_count: count, extra_days: extraDays } = change
  const shown = { anchor, zone, count, extraDays }
  const since = change.kind === "same-end" ? extra_days - extraDays : await daysGivenSince(tx, change)
  return withDays(shown, since)
}

/** Days that were given to the service since the change was ordered, less those that were taken back. */
async function daysGivenSince(
  { db }: DbContext,
  { service_id, order_id }: Pick<PlanChangeRow, "service_id" | "order_id">,
): Promise<number> {
  const given = await db
    .selectFrom("service_events")
    .innerJoin("orders", (join) => join.on("orders.id", "=", order_id))
    .select("service_events.detail")
    .where("service_events.service_id", "=", service_id)
    .where("service_events.kind", "=", "extended")
    .whereRef("service_events.at", ">=", "orders.placed_at")
    .execute()
  return given.reduce((sum, { detail }) => sum + Number(JSON.parse(detail ?? "{}").days ?? 0), 0)
}
