import { sql } from "kysely"
import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { ServiceEvent, ServiceEventKind } from "~/domain/services/service-event"
import { endOfTerm, newTerm, type Term, trialTerm, withCycles, withDays } from "~/domain/services/term"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { DbContext } from "../db/transaction.server"
import { hasEndpoint } from "../webhooks/append-events.server"
import { appendServiceWebhookEvent } from "../webhooks/timeline-events.server"
import { isAsRead, nextStepAfter, type StoredService, storedService } from "./next-step.server"
import { termOf } from "./stored-term.server"

/** Columns of a service that has no term yet. */
export const noTerm = { term_count: 0, extra_days: 0, renewal_discount: 0, balance_renewal: 0 } as const

/** A change of a term. */
export type TermExtension = {
  /** Billing cycles to add. */
  readonly cycles?: number
  /** Calendar days to add; negative to take back. */
  readonly days?: number
  /** Start of a new term, which replaces the present one. Without it a service without a term begins at `at`. */
  readonly anchor?: Instant
  readonly at: Instant
  /** Recorded on the service's timeline with the new end. */
  readonly event: { readonly kind: ServiceEventKind; readonly detail?: ServiceEvent["detail"] }
}

/**
 * Adds billing cycles and days to a service's term, in the current transaction, and returns the new end: every change of a term
 * comes here. Null, without a change: the service has no end (a one-time product, a reseller's account, a cycle that was never
 * stored, or an external billing). Throws `WriteConflictError` if another transaction has changed the term in the meantime.
 */
export async function extendTerm(
  tx: DbContext,
  serviceId: string,
  { cycles = 0, days = 0, anchor, at, event }: TermExtension,
): Promise<Instant | null> {
  const found = await storedService(tx, serviceId)
  if (!found) throw new BillingError("refused", `Service not found: ${serviceId}`)
  const { row } = found
  const present = anchor === undefined ? termOf(row) : null
  const start = present ?? newTermOf(tx, found, { anchor: anchor ?? at, isPaid: cycles > 0 })
  if (row.cycle === null || start === null) return null
  const term = withDays(withCycles(start, cycles), days)
  const paidUntil = endOfTerm(term, row.cycle)
  const columns = {
    term_anchor: term.anchor,
    term_zone: term.zone,
    term_count: term.count,
    extra_days: term.extraDays,
    trial_hours: term.trialHours ?? null,
    paid_until: paidUntil,
  }
  const { numUpdatedRows } = await tx.db
    .updateTable("services")
    .set({ ...columns, ...nextStepAfter(tx, found, { ...columns, at }) })
    .where("id", "=", serviceId)
    .where(isAsRead(row))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new WriteConflictError(`Term of service ${serviceId}`)
  await appendServiceEvent(tx, serviceId, { kind: event.kind, at, detail: { paidUntil, ...event.detail } })
  return paidUntil
}

/** Appends an event to a service's timeline, and the webhook event that it causes, in the current transaction. */
export async function appendServiceEvent(
  ctx: DbContext,
  serviceId: string,
  event: ServiceEvent,
): Promise<void> {
  const { db } = ctx
  const { kind, at, detail } = event
  const last = db
    .selectFrom("service_events")
    .select((row) => row.fn.coalesce(row.fn.max("position"), row.lit(0)).as("last"))
    .where("service_id", "=", serviceId)
  const inserted = await db
    .insertInto("service_events")
    .values({
      service_id: serviceId,
      position: sql<number>`${last} + 1`,
      kind,
      at,
      detail: detail === null ? null : JSON.stringify(detail),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(hasEndpoint.as("has_endpoint"))
    .executeTakeFirst()
  if (!inserted) throw new WriteConflictError(`Timeline of service ${serviceId}`)
  if (ctx.webhooks?.always || inserted.has_endpoint === 1)
    await appendServiceWebhookEvent(ctx, serviceId, event)
}

type Beginning = {
  readonly anchor: Instant
  /** Cycles are paid: the term is no free trial, or none any more. */
  readonly isPaid: boolean
}

/**
 * A term of no cycles yet. Null: the product is paid once and the service never had an end, the service is a reseller's account,
 * whose plan buys credits that do not end, or the shop keeps no terms.
 */
function newTermOf(
  { terms }: Pick<DbContext, "terms">,
  { row, payType }: StoredService,
  { anchor, isPaid }: Beginning,
): Term | null {
  // A service that was sold with an end is renewed, whatever its product has become.
  const isPaidOnce = payType === "onetime" && row.term_anchor === null
  if (!terms || row.kind === "reseller" || isPaidOnce) return null
  if (row.trial_hours !== null && !isPaid) return trialTerm(anchor, terms.timeZone, row.trial_hours)
  return newTerm(anchor, terms.timeZone, 0)
}
