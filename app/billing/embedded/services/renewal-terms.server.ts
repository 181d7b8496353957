import type { NextTerms } from "~/billing/services/renewals"
import type { Instant } from "~/domain/calendar"
import type { Quote } from "~/domain/catalogue/pricing"
import { type Currency, type Money, money } from "~/domain/money/money"
import { type DeclineReason, nextPrice, type RenewalTerms } from "~/domain/services/renewal"
import { precompiledQuery } from "../db/precompiled-query.server"
import type { ServiceRow } from "../db/schema/order-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { isAdded } from "./added-connections.server"
import { followingPlan, followingPlanColumns } from "./next-plan.server"
import { storeNextStepByChoice } from "./next-step.server"
import { notDeclined } from "./service-row.server"
import { appendServiceEvent } from "./service-terms.server"

/**
 * What one cycle of a service costs at its renewal, of the plan that follows if there is one: see `Renewals.renewalTerms`.
 */
export async function renewalTerms(ctx: DbContext, serviceId: string): Promise<NextTerms | null> {
  const row = await pricedRow(ctx, serviceId)
  if (row === null || (await isEndedByOperator(ctx, row))) return null
  const { next, not_before: notBefore } = row
  if (next?.startsAt === null) {
    const discount = money(0, row.currency)
    return { price: next.price, discount, discountedTerms: null, announced: null, next, notBefore }
  }
  if (row.policy === "none" && next === null) return null
  return { ...(await presentTerms(ctx, row)), next, notBefore }
}

/** Whether a service has ended for another reason than non-payment: a payment does not bring it back. */
export async function isEndedByOperator({ db }: DbContext, { id, status }: ServiceRow): Promise<boolean> {
  if (status !== "Terminated") return false
  const end = await db
    .selectFrom("service_events")
    .select("detail")
    .where("service_id", "=", id)
    .where("kind", "=", "terminated")
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst()
  const { owner } = JSON.parse(end?.detail ?? "{}")
  return owner !== "non-payment"
}

type PricedRow = ServiceRow & { currency: Currency }

/**
 * A service that a plan's order has created: a reseller's line is extended by a credit. `policy`: "none" if the operator does
 * not renew the services of its product any more. `next`: the plan that follows; null: the present one.
 */
export async function pricedRow(ctx: DbContext, serviceId: string) {
  const [row] = await rowOfPlan(ctx, serviceId)
  return row && row.currency !== null ? { ...row, currency: row.currency, next: followingPlan(row) } : null
}

const rowOfPlan = precompiledQuery(({ db }, serviceId) =>
  db
    .selectFrom("services")
    .innerJoin("orders", "orders.id", "services.order_id")
    .leftJoin("products", "products.id", "services.product_id")
    .leftJoin("next_plans", "next_plans.service_id", "services.id")
    .selectAll("services")
    .select(["products.renewal_price as policy", "orders.trial_hours as order_trial_hours"])
    .select(followingPlanColumns)
    .where("services.id", "=", serviceId)
    .where("orders.kind", "=", "plan"),
)

/** What one cycle of the plan that a service has costs. */
export async function presentTerms(ctx: DbContext, row: PricedRow): Promise<RenewalTerms> {
  const { currency, announced_price, announced_from } = row
  const price = row.renewal_price ?? (await chargedPrice(ctx, row))
  return {
    price: price === null ? null : money(price, currency),
    discount: money(row.renewal_discount, currency),
    discountedTerms: row.discounted_terms,
    announced:
      announced_price === null || announced_from === null
        ? null
        : { price: money(announced_price, currency), from: announced_from },
  }
}

/**
 * Price of one cycle of a service from before renewal prices were stored, in minor units: that of its plan, its extras and
 * the connections bought since. Null without such lines.
 */
async function chargedPrice({ db }: DbContext, { id, client_id }: ServiceRow): Promise<number | null> {
  const { sum } = await db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .select((row) => row.fn.sum<number | null>("order_lines.amount").as("sum"))
    .where("orders.client_id", "=", client_id)
    .where("orders.service_id", "=", id)
    .where("orders.kind", "in", ["plan", "upsell"])
    .where("orders.status", "in", ["paid", "active"])
    .where("order_lines.kind", "!=", "discount")
    .where(isAdded)
    .executeTakeFirstOrThrow()
  return sum === null ? null : Number(sum)
}

type Sold = { readonly quote: Quote; readonly promoKey: string | null }

/** Columns of what a service costs at its renewals. */
export type RenewalPriceColumns = Pick<ServiceRow, "renewal_price" | "renewal_discount" | "discounted_terms">

/** Stores what the service of an order costs at its renewals. */
export async function writeRenewalPrice(ctx: DbContext, orderId: string, sold: Sold): Promise<void> {
  const price = await renewalPrice(ctx, sold)
  await ctx.db.updateTable("services").set(price).where("order_id", "=", orderId).execute()
}

/** What the service of an order costs at its renewals: the price without discount, and the promotion's part. */
export async function renewalPrice(ctx: DbContext, { quote, promoKey }: Sold): Promise<RenewalPriceColumns> {
  const { lines } = quote
  const sum = (isDiscount: boolean) =>
    lines.reduce(
      // A business that owes the tax itself may be none at its next renewal: the service keeps the price with tax.
      (all, { kind, amount, listed = amount }) =>
        (kind === "discount") === isDiscount ? all + listed.minor : all,
      0,
    )
  const renewals = promoKey === null ? null : await renewalsOf(ctx, promoKey)
  return {
    renewal_price: sum(false),
    renewal_discount: renewals === null ? 0 : -sum(true),
    discounted_terms: renewals === ALL ? null : renewals,
  }
}

/** Renewals at a price without discount. */
export function fullPrice({ minor }: Money): RenewalPriceColumns {
  return { renewal_price: minor, renewal_discount: 0, discounted_terms: null }
}

const ALL = -1

/** Renewals that a promotion covers too; null: none. */
async function renewalsOf({ db }: DbContext, promoKey: string): Promise<number | null> {
  const row = await db
    .selectFrom("promotions")
    .select("renewals")
    .where("code_key", "=", promoKey)
    .executeTakeFirst()
  return row?.renewals ?? null
}

/** Replaces the renewal price of a service by a lower one: see `Renewals.lowerRenewalPrice`. */
export async function lowerRenewalPrice(
  ctx: DbContext,
  serviceId: string,
  { to, at }: { to: Money; at: Instant },
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const row = await pricedRow(tx, serviceId)
    return row !== null && row.currency === to.currency && replacePrice(tx, row, { to, at })
  })
}

async function replacePrice(
  tx: DbContext,
  row: PricedRow,
  { to, at }: { to: Money; at: Instant },
): Promise<boolean> {
  const terms = await presentTerms(tx, row)
  const due = terms.announced !== null && terms.announced.from <= at ? terms.announced : null
  const own = due?.price ?? terms.price
  if (own === null || to.minor >= nextPrice(own, terms).minor) return false
  const { numUpdatedRows } = await tx.db
    .updateTable("services")
    .set({
      renewal_price: to.minor,
      renewal_discount: 0,
      discounted_terms: null,
      ...(due && { announced_price: null, announced_from: null }),
    })
    .where("id", "=", row.id)
    .where("renewal_price", row.renewal_price === null ? "is" : "=", row.renewal_price)
    .where("renewal_discount", "=", row.renewal_discount)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Notes that the customer does not want to renew: see `Renewals.declineRenewal`. */
export async function declineRenewal(
  ctx: DbContext,
  serviceId: string,
  { reason, at }: { reason: DeclineReason; at: Instant },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .updateTable("services")
      .set({ decline_reason: reason })
      .where("id", "=", serviceId)
      .where("declined_at", "is not", null)
      .execute()
    const { numUpdatedRows } = await tx.db
      .updateTable("services")
      .set({ declined_at: at, decline_reason: reason, balance_renewal: 0 })
      .where("id", "=", serviceId)
      .where("term_anchor", "is not", null)
      .where("declined_at", "is", null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return
    await appendServiceEvent(tx, serviceId, { kind: "declined", at, detail: { reason } })
    await storeNextStepByChoice(tx, serviceId, at)
  })
}

/** Takes `declineRenewal` back. */
export async function resumeRenewal(ctx: DbContext, serviceId: string, at: Instant): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable("services")
      .set(notDeclined)
      .where("id", "=", serviceId)
      .where("declined_at", "is not", null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return
    await appendServiceEvent(tx, serviceId, { kind: "undeclined", at, detail: null })
    await storeNextStepByChoice(tx, serviceId, at)
  })
}
