import type { PlanChanges } from "~/billing/services/plan-changes"
import type { Instant } from "~/domain/calendar"
import { extraOf } from "~/domain/catalogue/catalogue"
import { type Money, money, times } from "~/domain/money/money"
import type { NextPlan, PlanTarget } from "~/domain/services/plan-change"
import { productsPricedAt } from "../catalogue/catalogue.server"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { ServiceRow } from "../db/schema/order-rows"
import type { NextPlanRow } from "../db/schema/term-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { requeueJob } from "../jobs/outbox.server"
import { withTaxFor } from "../tax/price-with-tax.server"
import { announceAgain } from "./announced-price.server"
import { isAsRead, storeNextStep, storeNextStepByChoice } from "./next-step.server"
import { knownServiceRow, lockService, notDeclined, serviceRow } from "./service-row.server"
import { appendServiceEvent, extendTerm } from "./service-terms.server"

/** The plan that follows when the paid time of a service ends: see `PlanChanges.nextPlan`. */
export async function nextPlan({ db }: DbContext, serviceId: string): Promise<NextPlan | null> {
  const row = await db
    .selectFrom("next_plans")
    .select(followingPlanColumns)
    .where("service_id", "=", serviceId)
    .executeTakeFirst()
  return row ? followingPlan(row) : null
}

/** The columns of the plan that follows, for a query that reads a service with it. */
export const followingPlanColumns = [
  "next_plans.product_id as next_product_id",
  "next_plans.name as next_name",
  "next_plans.cycle as next_cycle",
  "next_plans.price as next_price",
  "next_plans.currency as next_currency",
  "next_plans.starts_at as next_starts_at",
] as const

type FollowingPlanRow = {
  readonly next_product_id: NextPlanRow["product_id"] | null
  readonly next_name: NextPlanRow["name"] | null
  readonly next_cycle: NextPlanRow["cycle"] | null
  readonly next_price: NextPlanRow["price"] | null
  readonly next_currency: NextPlanRow["currency"] | null
  readonly next_starts_at: NextPlanRow["starts_at"]
}

/** The plan that follows, of a row with `followingPlanColumns`; null: there is none. */
export function followingPlan(row: FollowingPlanRow): NextPlan | null {
  const { next_product_id: productId, next_name: name, next_cycle: cycle } = row
  const { next_price: price, next_currency: currency, next_starts_at: startsAt } = row
  const isThere = productId !== null && name !== null && cycle !== null
  if (!isThere || price === null || currency === null) return null
  return { productId, name, cycle, price: money(price, currency), startsAt }
}

type PricedPlan = Parameters<PlanChanges["chooseNextPlan"]>[1]

/** Whether a plan may follow that of a service, at the price for its connections. */
function mayHave(
  row: ServiceRow,
  { price, connections = row.connections }: PricedPlan,
): row is ServiceRow & { paid_until: Instant } {
  const isRunning = row.status === "Active" && row.paid_until !== null && row.trial_hours === null
  return isRunning && row.currency === price.currency && row.connections === connections
}

/** Stores the plan that follows: see `PlanChanges.chooseNextPlan`. */
export async function chooseNextPlan(
  ctx: DbContext,
  serviceId: string,
  { plan, at }: { plan: PricedPlan; at: Instant },
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    // Connections that are being paid wait: their price is added to this plan.
    await lockService(tx, serviceId)
    const row = await serviceRow(tx, serviceId)
    if (!row || !mayHave(row, plan)) return false
    const { productId: product_id, name, cycle, price } = plan
    const chosen = { product_id, name, cycle, price: price.minor, currency: price.currency, chosen_at: at }
    const stored = await tx.db
      .insertInto("next_plans")
      .values({ service_id: serviceId, ...chosen, starts_at: null })
      .onConflict((conflict) =>
        conflict.column("service_id").doUpdateSet(chosen).where("next_plans.starts_at", "is", null),
      )
      .returning("service_id")
      .executeTakeFirst()
    if (!stored) return false
    const detail = { plan: name, cycle, from: row.paid_until }
    await appendServiceEvent(tx, serviceId, { kind: "plan-chosen", at, detail })
    await wantToRenew(tx, row, at)
    await requeueJob(tx, { topic: "next-plan", subject: serviceId, at, due: Math.max(at, row.paid_until) })
    return true
  })
}

/** Whoever chooses what follows wants to renew. */
async function wantToRenew(tx: DbContext, { id, declined_at }: ServiceRow, at: Instant): Promise<void> {
  if (declined_at === null) return
  await tx.db.updateTable("services").set(notDeclined).where("id", "=", id).execute()
  await storeNextStepByChoice(tx, id, at)
}

/** Forgets the plan that follows: see `PlanChanges.keepPlan`. */
export async function keepPlan(ctx: DbContext, serviceId: string, at: Instant): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom("next_plans")
      .where("service_id", "=", serviceId)
      .where("starts_at", "is", null)
      .executeTakeFirst()
    if (numDeletedRows !== 1n) return false
    await appendServiceEvent(tx, serviceId, { kind: "plan-kept", at, detail: null })
    await announceAgain(tx, await knownServiceRow(tx, serviceId), at)
    return true
  })
}

/** Gives a service the plan that follows, if its time has come: see `PlanChanges.startNextPlan`. */
export async function startNextPlan(ctx: DbContext, serviceId: string, at: Instant): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const next = await nextPlan(tx, serviceId)
    const row = next && (await serviceRow(tx, serviceId))
    if (!next || !row || row.paid_until === null) return
    const from = next.startsAt ?? row.paid_until
    // Days that were given since, or a renewal of the former plan, have moved the end.
    if (from > at) await requeueJob(tx, { topic: "next-plan", subject: serviceId, at, due: from })
    else await takeNextPlan(tx, row, { next, at })
  })
}

type Added = { readonly next: NextPlan; readonly connections: number; readonly at: Instant }

/** What one cycle of the plan that follows costs more with bought connections; null: it has no price for them. */
export async function priceInNextPlan(
  tx: DbContext,
  { client_id }: Pick<ServiceRow, "client_id">,
  { next: { productId: product_id, price, cycle }, connections, at }: Added,
): Promise<Money | null> {
  const product = (await productsPricedAt(tx, "plan", at)).find(({ id }) => id === product_id)
  const extra = extraOf(product?.options[0], price.currency, cycle)
  if (extra === null) return null
  return times(await withTaxFor(tx, { client_id, product_id }, { price: extra.price, at }), connections)
}

/**
 * Adds the price of bought connections to the plan that follows, in the current transaction. Forgets it if it has no price for
 * them, unless terms of it are paid.
 */
export async function addToNextPlan(
  tx: DbContext,
  serviceId: string,
  { price, at }: { readonly price: Money | null; readonly at: Instant },
): Promise<void> {
  if (price === null) return void (await keepPlan(tx, serviceId, at))
  await tx.db
    .updateTable("next_plans")
    // Other connections may have been paid since it was read.
    .set((row) => ({ price: row("price", "+", price.minor) }))
    .where("service_id", "=", serviceId)
    .execute()
}

type Taken = { readonly next: NextPlan; readonly at: Instant }

/**
 * Gives a service the plan that follows, in the current transaction: product and name now, and unless its terms are paid already,
 * price, cycle, and a term without cycles that begins at the end of the paid time.
 */
export async function takeNextPlan(tx: DbContext, row: ServiceRow, { next, at }: Taken): Promise<void> {
  const { id } = row
  const { productId, name } = next
  if (next.startsAt === null) await takeNextCycle(tx, row, { next, at })
  await tx.db
    .updateTable("services")
    .set({ product_id: productId, name, plan_changed_at: at })
    .where("id", "=", id)
    .execute()
  await tx.db.deleteFrom("next_plans").where("service_id", "=", id).execute()
  const detail = { plan: name, cycle: next.cycle, price: next.price.minor, currency: next.price.currency }
  await appendServiceEvent(tx, id, { kind: "plan-changed", at, detail })
  await requeueJob(tx, { topic: "plan", subject: id, at })
  await storeNextStep(tx, id, at)
}

/**
 * Gives a service price and cycle of the plan that follows, in the current transaction. Its cycles begin at the end of the paid
 * time. Throws `WriteConflictError` if another transaction has changed the service in the meantime.
 */
export async function takeNextCycle(tx: DbContext, row: ServiceRow, { next }: Taken): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable("services")
    .set({
      cycle: next.cycle,
      ...priceOf(next),
      term_anchor: row.paid_until,
      term_count: 0,
      extra_days: 0,
    })
    .where("id", "=", row.id)
    // Connections that were paid since have another price, which the plan that was read is without.
    .where("connections", "=", row.connections)
    .where(isAsRead(row))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new WriteConflictError(`Plan of service ${row.id}`)
}

/** Columns of the price of a plan that was changed: neither discounts nor announced prices of the former one go on. */
export function priceOf({ price }: Pick<PlanTarget, "price">) {
  return {
    renewal_price: price.minor,
    renewal_discount: 0,
    discounted_terms: null,
    announced_price: null,
    announced_from: null,
  }
}

/** Adds paid terms of the plan that follows, in the current transaction: it begins at the end of the present paid time. */
export async function extendByNextPlan(
  tx: DbContext,
  row: ServiceRow,
  { next, cycles, order, at }: Taken & { readonly cycles: number; readonly order: string },
): Promise<Instant | null> {
  const { id, paid_until: startsAt } = row
  await takeNextCycle(tx, row, { next, at })
  await tx.db.updateTable("next_plans").set({ starts_at: startsAt }).where("service_id", "=", id).execute()
  return extendTerm(tx, id, { cycles, at, event: { kind: "renewed", detail: { order, cycles } } })
}
