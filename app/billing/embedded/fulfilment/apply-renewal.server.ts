import type { Instant } from "~/domain/calendar"
import { monthsOf } from "~/domain/catalogue/billing-cycle"
import { asRenewed, type NextPlan } from "~/domain/services/plan-change"
import { discountedTermsAfter, graceEndOf, isTooFarAhead, startOfRenewal } from "~/domain/services/renewal"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { ServiceRow } from "../db/schema/order-rows"
import type { RenewalItemRow } from "../db/schema/term-rows"
import type { DbContext } from "../db/transaction.server"
import { requeueJob } from "../jobs/outbox.server"
import { completeOrder } from "../orders/complete-order.server"
import type { NewTimelineEvent } from "../orders/timeline.server"
import { isAdded } from "../services/added-connections.server"
import { liftedByPayment } from "../services/given-days.server"
import { extendByNextPlan, nextPlan, takeNextPlan } from "../services/next-plan.server"
import { storeNextStep } from "../services/next-step.server"
import { isEndedByOperator } from "../services/renewal-terms.server"
import { knownServiceRow, notDeclined, suspensionOf } from "../services/service-row.server"
import { resume } from "../services/service-state.server"
import { extendTerm } from "../services/service-terms.server"
import { termOf } from "../services/stored-term.server"
import { type Covered, creditInstead } from "./credit-instead.server"

/**
 * Adds the terms of a paid renewal to its services, each once, in the current transaction. What was paid for terms that do not apply to
 * their service any more (`isRefused`) becomes account credit. The order needs nothing more. Returns the timeline events that follow the
 * payment's.
 */
export async function applyRenewal(
  tx: DbContext,
  orderId: string,
  { at, isSettled }: Covered,
): Promise<readonly NewTimelineEvent[]> {
  const items = await tx.db
    .selectFrom("renewal_items")
    .innerJoin("order_lines", (join) =>
      join
        .onRef("order_lines.order_id", "=", "renewal_items.order_id")
        .onRef("order_lines.position", "=", "renewal_items.position"),
    )
    .selectAll("renewal_items")
    .select(["order_lines.product_id", "order_lines.quantity as months"])
    .where("renewal_items.order_id", "=", orderId)
    .orderBy("service_id")
    .execute()
  const refused: OrderedItem[] = []
  for (const item of items) if (!(await applyOnce(tx, item, at))) refused.push(item)
  if (refused.length === 0) {
    await completeOrder(tx, orderId)
    return [{ kind: "renewed", at }]
  }
  const amount = refused.reduce((sum, item) => sum + item.amount, 0)
  const credited = await creditInstead(tx, orderId, { at, isSettled, amount })
  return refused.length === items.length ? credited : [...credited, { kind: "renewed", at }]
}

/** `months`: of the order's line, as the product. */
type OrderedItem = RenewalItemRow & { readonly product_id: string | null; readonly months: number | null }

/** False: the ordered terms do not apply to the service any more. */
async function applyOnce(tx: DbContext, item: OrderedItem, at: Instant): Promise<boolean> {
  const { order_id, service_id, terms } = item
  const read = await knownServiceRow(tx, service_id)
  const next = await nextPlan(tx, service_id)
  if (await isRefused(tx, item, { row: read, next, at })) return !(await takeItem(tx, item, at))
  if (!(await takeItem(tx, item, at))) return true
  if (item.discounted_terms !== null) await holdDiscount(tx, read)
  const bought = { cycles: terms, order: order_id, at }
  const until =
    next?.startsAt === null
      ? await extendByNext(tx, read, { ...bought, next })
      : await extendPlan(tx, read, bought)
  await storeEnd(tx, item, until)
  await restoreAccess(tx, await knownServiceRow(tx, service_id), { terms, at })
  return true
}

/**
 * Whether the service was ended meanwhile for another reason than non-payment, neither has nor gets next the plan whose terms were
 * ordered, has had the discount of the order by another one, got more connections before the payment, which the price is without, or was
 * renewed by another order since, so that both would pass what may be paid ahead.
 */
async function isRefused(
  tx: DbContext,
  item: OrderedItem,
  { at, ...plans }: Plans & { readonly at: Instant },
): Promise<boolean> {
  if (!isFor(item, plans) || isDiscountUsed(item, plans.row)) return true
  if (await isEndedByOperator(tx, plans.row)) return true
  if (await isWithoutConnections(tx, item, at)) return true
  return (await isRenewedSince(tx, item)) && (await isPastAhead(tx, item, { ...plans, at }))
}

/** Whether the terms lead further ahead than the service may be paid now. */
async function isPastAhead(
  tx: DbContext,
  { order_id, terms: cycles }: OrderedItem,
  { row, next, at }: Plans & { readonly at: Instant },
): Promise<boolean> {
  const { cycle, paid_until: paidUntil } = row
  const term = termOf(row)
  if (!tx.terms || cycle === null || paidUntil === null || term === null) return false
  const { product_id: productId, name, status } = row
  const service = { productId, name, status, suspension: suspensionOf(row), cycle, term, paidUntil }
  const graceEnd = graceEndOf(service, await graceDaysOf(tx, row))
  const { renewAheadMonths: aheadMonths, timeZone: zone } = tx.terms
  const time = { at: await paymentSeenAt(tx, order_id, at), graceEnd, zone }
  return isTooFarAhead(asRenewed(service, next), cycles, { ...time, aheadMonths })
}

/** Whether another order has renewed the service since this one was placed: that alone is quoted within what may be paid ahead. */
async function isRenewedSince({ db }: DbContext, { order_id, service_id }: OrderedItem): Promise<boolean> {
  const renewed = await db
    .selectFrom("renewal_items")
    .innerJoin("orders", (join) => join.on("orders.id", "=", order_id))
    .select("renewal_items.order_id")
    .where("renewal_items.service_id", "=", service_id)
    .where("renewal_items.paid_until", "is not", null)
    .whereRef("renewal_items.applied_at", ">", "orders.placed_at")
    .executeTakeFirst()
  return renewed !== undefined
}

/** Whether fewer discounted terms are left than the item has. None are counted once a lower price has replaced it. */
function isDiscountUsed({ discounted_terms: priced }: OrderedItem, { discounted_terms: left }: ServiceRow) {
  return priced !== null && left !== null && priced > left
}

/** Lets no other transaction have the discount that was read until this one ends. Throws `WriteConflictError` if one just had it. */
async function holdDiscount({ db }: DbContext, { id, discounted_terms }: ServiceRow): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("services")
    .set({ discounted_terms })
    .where("id", "=", id)
    .where("discounted_terms", "is not distinct from", discounted_terms)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new WriteConflictError(`Discount of service ${id}`)
}

/** Adds paid terms of the plan that follows. Returns the new end. */
async function extendByNext(
  tx: DbContext,
  row: ServiceRow,
  bought: Terms & { readonly next: NextPlan },
): Promise<Instant | null> {
  if ((row.paid_until ?? 0) > bought.at) return extendByNextPlan(tx, row, bought)
  // Its time has come, and the job has not run yet.
  await takeNextPlan(tx, row, bought)
  return extendPlan(tx, await knownServiceRow(tx, row.id), bought)
}

type Terms = { readonly cycles: number; readonly order: string; readonly at: Instant }

/** Adds paid terms of the plan that the service has. Returns the new end. */
async function extendPlan(tx: DbContext, row: ServiceRow, bought: Terms): Promise<Instant | null> {
  const { cycles, order, at } = bought
  const isLater = await beginsLater(tx, row, bought)
  return extendTerm(tx, row.id, {
    cycles,
    at,
    ...(isLater && { anchor: at }),
    event: { kind: "renewed", detail: { order, cycles } },
  })
}

/** Marks an item as carried out; false if it was before. */
async function takeItem(
  { db }: DbContext,
  { order_id, service_id }: RenewalItemRow,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("renewal_items")
    .set({ applied_at: at })
    .where("order_id", "=", order_id)
    .where("service_id", "=", service_id)
    .where("applied_at", "is", null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function storeEnd(
  { db }: DbContext,
  { order_id, service_id }: RenewalItemRow,
  paid_until: Instant | null,
): Promise<void> {
  await db
    .updateTable("renewal_items")
    .set({ paid_until })
    .where("order_id", "=", order_id)
    .where("service_id", "=", service_id)
    .execute()
}

type Plans = { readonly row: ServiceRow; readonly next: NextPlan | null }

/** Whether the ordered terms are of the plan and cycle that the next term of the service has. */
function isFor({ product_id, months, terms }: OrderedItem, { row, next }: Plans): boolean {
  const productId = next?.productId ?? row.product_id
  const cycle = next?.startsAt === null ? next.cycle : row.cycle
  if (product_id !== productId || cycle === null) return false
  // Lines of earlier versions have no months: there were no other plans then.
  return months === null || months === terms * monthsOf(cycle)
}

/**
 * Whether connections were bought after the order was priced and before its payment, which counts from when it was first seen. One on
 * hold is priced again at its release.
 */
async function isWithoutConnections(
  ctx: DbContext,
  { order_id, service_id }: RenewalItemRow,
  at: Instant,
): Promise<boolean> {
  const { bought } = await ctx.db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .innerJoin("orders as renewals", (join) => join.on("renewals.id", "=", order_id))
    .select((row) => row.fn.min<number | null>("invoices.paid_at").as("bought"))
    .where("orders.service_id", "=", service_id)
    .whereRef("orders.client_id", "=", "renewals.client_id")
    .where("orders.kind", "=", "upsell")
    .where(isAdded)
    .where("invoices.status", "=", "paid")
    .whereRef("invoices.paid_at", ">", "renewals.placed_at")
    .where("invoices.paid_at", ">", await releasedAt(ctx, order_id))
    .executeTakeFirstOrThrow()
  if (bought === null) return false
  return bought <= (await paymentSeenAt(ctx, order_id, at))
}

/** When an order on hold was released, and its buyer has agreed to another price; 0 if it was not on hold. */
async function releasedAt({ db }: DbContext, orderId: string): Promise<Instant> {
  const { released } = await db
    .selectFrom("order_events")
    .select((row) => row.fn.max<number | null>("at").as("released"))
    .where("order_id", "=", orderId)
    .where("kind", "in", ["released", "requoted"])
    .executeTakeFirstOrThrow()
  return released ?? 0
}

/** When the payment of an order that is paid at `at` was first seen. */
async function paymentSeenAt({ db }: DbContext, orderId: string, at: Instant): Promise<Instant> {
  const { seen } = await db
    .selectFrom("order_events")
    .select((row) => row.fn.min<number | null>("at").as("seen"))
    .where("order_id", "=", orderId)
    .where("kind", "=", "seen")
    .executeTakeFirstOrThrow()
  return Math.min(at, seen ?? at)
}

/** Whether the term begins with the payment. A payment that was seen within the grace counts as made then. */
async function beginsLater(tx: DbContext, row: ServiceRow, { order, at }: Terms): Promise<boolean> {
  const { paid_until: paidUntil } = row
  if (paidUntil === null) return false
  const used = { paidUntil, term: termOf(row), status: row.status, suspension: suspensionOf(row) }
  const graceEnd = graceEndOf(used, await graceDaysOf(tx, row))
  return startOfRenewal({ paidUntil }, { at: await paymentSeenAt(tx, order, at), graceEnd }) === "later"
}

async function graceDaysOf({ db, terms }: DbContext, { product_id }: ServiceRow): Promise<number> {
  const product = await db
    .selectFrom("products")
    .select("grace_days")
    .where("id", "=", product_id)
    .executeTakeFirst()
  return product?.grace_days ?? terms?.graceDays ?? 0
}

type Paid = { readonly terms: number; readonly at: Instant }

/**
 * Lets the panel follow: it extends, resumes or sets up the line again, with the same credentials. A suspension that is not
 * for non-payment stays.
 */
async function restoreAccess(tx: DbContext, row: ServiceRow, { terms, at }: Paid): Promise<void> {
  const { id, status } = row
  const hasEnded = status === "Terminated" || status === "Cancelled"
  await tx.db
    .updateTable("services")
    .set({
      ...notDeclined,
      held_since: null,
      discounted_terms: discountedTermsAfter(row.discounted_terms, terms),
      ...(hasEnded && { status: "Pending" as const, host: null }),
    })
    .where("id", "=", id)
    .execute()
  if (hasEnded) await requeueJob(tx, { topic: "provision", subject: id, at })
  else if (!(await resume(tx, id, { owners: liftedByPayment, reason: null, at })))
    await requeueJob(tx, { topic: "extend", subject: id, at })
  await storeNextStep(tx, id, at)
}
