import type { ExpressionBuilder } from "kysely"
import type { Instant } from "~/domain/calendar"
import type { OrderStatus } from "~/domain/orders/order-status"
import { type DunnedService, firstStep } from "~/domain/services/dunning"
import { endOfTerm, type Term, withCycles } from "~/domain/services/term"
import { precompiledQuery } from "../db/precompiled-query.server"
import type { ServiceRow } from "../db/schema/order-rows"
import type { ProductRow, Tables } from "../db/schema/schema"
import type { DbContext } from "../db/transaction.server"
import { noticeOf } from "../mail/dunning-mails.server"
import { isSentBy } from "../mail/enqueue-mail.server"
import { suspensionOf } from "./service-row.server"
import { termOf } from "./stored-term.server"

/** A service with what decides about its steps. */
export type StoredService = {
  readonly row: ServiceRow
  readonly dunned: DunnedService
  /** Its product is not renewed any more. */
  readonly isLast: boolean
  readonly orderStatus: OrderStatus
  /** Null: its product is gone. */
  readonly payType: ProductRow["pay_type"] | null
}

/** Reads a service for dunning; null for an unknown one. */
export async function storedService(ctx: DbContext, id: string): Promise<StoredService | null> {
  const [found] = await rowOfService(ctx, id)
  if (!found) return null
  const { orderKind, orderStatus, grace_days: graceDays, policy, payType, ...row } = found
  // A line belongs to a reseller's customer, whose address the shop does not have.
  const isMailed = orderKind !== "line" && isSentBy(ctx.mail, "renewal-due")
  const dunned = { ...dunnedRow(row), graceDays, isMailed }
  return { row, dunned, isLast: policy === "none", orderStatus, payType }
}

const rowOfService = precompiledQuery(({ db }, id) =>
  db
    .selectFrom("services")
    .innerJoin("orders", "orders.id", "services.order_id")
    .leftJoin("products", "products.id", "services.product_id")
    .selectAll("services")
    .select(["orders.kind as orderKind", "orders.status as orderStatus"])
    .select(["products.grace_days", "products.renewal_price as policy", "products.pay_type as payType"])
    .where("services.id", "=", id),
)

function dunnedRow(row: ServiceRow): Omit<DunnedService, "graceDays" | "isMailed"> {
  return {
    status: row.status,
    paidUntil: row.paid_until,
    termLength: termLength(row),
    isTrial: row.trial_hours !== null,
    notBefore: row.not_before,
    suspension: suspensionOf(row),
    declinedAt: row.declined_at,
    balanceRenewal: row.balance_renewal === 1,
  }
}

/** Length of the last billing cycle in milliseconds; without one, of the time since the term began. */
function termLength(row: ServiceRow): number {
  const term = termOf(row)
  if (term === null || row.cycle === null || row.paid_until === null) return 0
  return row.paid_until - (term.count > 0 ? endOfTerm(withCycles(term, -1), row.cycle) : startOf(term, row))
}

/** Converted time is anchored at its end, where its cycles begin, and runs since the change of plan. */
function startOf({ anchor }: Term, { plan_changed_at }: ServiceRow): Instant {
  return Math.min(anchor, plan_changed_at ?? anchor)
}

/**
 * Stores the next step of a service that has changed at `at`, and ends a hold. Every transaction that changes its status, term,
 * suspension or protection calls this function or writes `nextStepAfter`, and one that changes the choice to renew or the consent to
 * renew from credit calls `storeNextStepByChoice`, since the next step follows from them.
 */
export async function storeNextStep(tx: DbContext, id: string, at: Instant): Promise<void> {
  if (!tx.terms) return
  const found = await storedService(tx, id)
  await tx.db
    .updateTable("services")
    .set(nextStepOf(tx, found?.dunned, at))
    .where("id", "=", id)
    .execute()
}

/**
 * Stores the next step of a service whose customer has chosen at `at` whether and how it is to be renewed, unless its notice has been
 * given already: choosing again and again does not put the end off.
 */
export async function storeNextStepByChoice(tx: DbContext, id: string, at: Instant): Promise<void> {
  const found = tx.terms && (await storedService(tx, id))
  if (!found) return
  const next = nextStepOf(tx, found.dunned, at)
  if (await isGiven(tx, found, next.next_step)) return
  await tx.db.updateTable("services").set(next).where("id", "=", id).execute()
}

/**
 * Stores the next step of a service for settings that have changed, unless its notice has been given already, or another transaction
 * changes it meanwhile. False: it is the one that was stored, or stays it.
 */
export async function replanNextStep(ctx: DbContext, id: string, at: Instant): Promise<boolean> {
  const found = await storedService(ctx, id)
  if (!found) return false
  const { row, dunned } = found
  const { next_step, next_step_at } = nextStepOf(ctx, dunned, at)
  const isStored = next_step === row.next_step && next_step_at === row.next_step_at
  if (isStored || (await isGiven(ctx, found, next_step))) return false
  const { numUpdatedRows } = await ctx.db
    .updateTable("services")
    .set({ next_step, next_step_at })
    .where("id", "=", id)
    .where("next_step", "is not distinct from", row.next_step)
    .where("next_step_at", "is not distinct from", row.next_step_at)
    .where(isAsRead(row))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function isGiven(ctx: DbContext, { row }: StoredService, step: string | null): Promise<boolean> {
  return (step === "notice" || step === "last-notice") && (await noticeOf(ctx, row, step)) !== null
}

/**
 * Columns of the next step of a service that the transaction has read and changes at `at`, to be written with the change under the
 * condition `isAsRead`.
 */
export function nextStepAfter(
  tx: DbContext,
  { row, dunned }: StoredService,
  { at, ...change }: Partial<ServiceRow> & { readonly at: Instant },
): Partial<ServiceRow> {
  return tx.terms ? nextStepOf(tx, { ...dunned, ...dunnedRow({ ...row, ...change }) }, at) : {}
}

function nextStepOf({ terms }: DbContext, dunned: DunnedService | undefined, at: Instant) {
  const next = terms && dunned && firstStep(dunned, terms, at)
  return { next_step: next?.step ?? null, next_step_at: next?.at ?? null, held_since: null }
}

/** The columns from which the next step follows, and those that say what a payment has bought. */
const decisive = [
  "product_id",
  "cycle",
  "status",
  "term_anchor",
  "term_count",
  "extra_days",
  "not_before",
  "suspended_at",
  "suspension_owner",
  "declined_at",
  "balance_renewal",
] as const satisfies readonly (keyof ServiceRow)[]

/** Condition: no other transaction has changed since what the next step follows from. */
export function isAsRead(read: ServiceRow) {
  return (row: ExpressionBuilder<Tables, "services">) =>
    row.and(decisive.map((column) => row(column, "is not distinct from", read[column])))
}
