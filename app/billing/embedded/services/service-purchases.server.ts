import type { PlanFacts } from "~/billing/services/plan-changes"
import type { Instant } from "~/domain/calendar"
import { taxOwedBack } from "~/domain/orders/order-tax"
import { type Purchase, paidShare, unusedValue } from "~/domain/services/plan-change"
import { isTrial } from "~/domain/services/term"
import type { OrderRow, ServiceRow } from "../db/schema/order-rows"
import { parseOrderTax } from "../db/stored-tax.server"
import type { DbContext } from "../db/transaction.server"
import { netOfRefunds } from "../ledger/net-of-refunds.server"
import { isAdded } from "./added-connections.server"
import { presentTerms, pricedRow } from "./renewal-terms.server"
import { termOf } from "./stored-term.server"

/** What decides about a change of a service's plan: see `PlanChanges.planFacts`. */
export async function planFacts(ctx: DbContext, serviceId: string, at: Instant): Promise<PlanFacts | null> {
  const row = await pricedRow(ctx, serviceId)
  const term = row && termOf(row)
  if (!row || term === null || row.cycle === null || row.kind !== "plan") return null
  // A paid term comes first: the time of a free trial is worth nothing that could be moved.
  if (isTrial(term)) return null
  const { cycle, currency } = row
  return {
    terms: await presentTerms(ctx, row),
    unused: unusedValue(await purchasesOf(ctx, row), { term, cycle, at, currency }),
    changedAt: row.plan_changed_at,
    trialEnd: trialEnd(row, at),
    next: row.next,
  }
}

type TriedRow = Pick<ServiceRow, "term_anchor" | "plan_changed_at"> & {
  readonly order_trial_hours: number | null
}

/**
 * End of the free trial of a service whose paid terms follow it: nothing was paid for the time until then. Null: it is over, or
 * there was none.
 */
export function trialEnd(
  { order_trial_hours, plan_changed_at, term_anchor }: TriedRow,
  at: Instant,
): Instant | null {
  // A changed plan has another anchor, which may also lie ahead.
  if (order_trial_hours === null || plan_changed_at !== null || term_anchor === null) return null
  return term_anchor > at ? term_anchor : null
}

/** What has been paid for a service in all, less refunds and tax that is owed back, in minor units. */
export function paidInAll(purchases: readonly Purchase[]): number {
  return purchases.reduce((sum, { paid }) => sum + paid, 0)
}

type Bought = { readonly at: Instant; readonly purchase: Purchase }

/** What has been bought for a service, oldest first. */
export async function purchasesOf(
  ctx: DbContext,
  { id, order_id, client_id, extra_days }: Pick<ServiceRow, "id" | "order_id" | "client_id" | "extra_days">,
): Promise<readonly Purchase[]> {
  const given = await daysGiven(ctx, id)
  const takenDays = (at: Instant) => takenDaysAt(at, { given, days: extra_days })
  const [first, ...later] = await Promise.all([
    firstTerm(ctx, order_id),
    renewals(ctx, id),
    connections(ctx, { id, client_id, takenDays }),
    changes(ctx, { id, takenDays }),
  ])
  const bought = later.flat().toSorted((one, other) => one.at - other.at)
  return [...first, ...bought.map(({ purchase }) => purchase)]
}

type GivenDays = { readonly at: Instant; readonly days: number }

/** Days that the operator has given to a service; negative: taken back. */
async function daysGiven({ db }: DbContext, serviceId: string): Promise<readonly GivenDays[]> {
  const rows = await db
    .selectFrom("service_events")
    .select(["at", "detail"])
    .where("service_id", "=", serviceId)
    .where("kind", "=", "extended")
    .execute()
  return rows.map(({ at, detail }) => ({ at, days: Number(JSON.parse(detail ?? "{}").days ?? 0) }))
}

/**
 * Days that were taken back of the present term by a time, more than were given, from those that it has now. What was bought for a term
 * before has no value any more.
 */
function takenDaysAt(
  at: Instant,
  { given, days }: { readonly given: readonly GivenDays[]; readonly days: number },
): number {
  const since = given.filter((it) => it.at > at).reduce((sum, it) => sum + it.days, 0)
  return Math.max(0, since - days)
}

type TakenDays = { readonly takenDays: (at: Instant) => number }

type PaidOrder = Parameters<typeof netOfRefunds>[1] & Pick<OrderRow, "tax">

/** What was paid for what an order has sold, less refunds and the tax that is owed back to its business, in minor units. */
async function paidFor(ctx: DbContext, { tax, ...invoice }: PaidOrder): Promise<number> {
  const owed = tax === null ? 0 : taxOwedBack(parseOrderTax(tax))
  return Math.max(0, (await netOfRefunds(ctx, invoice)) - owed)
}

async function firstTerm(ctx: DbContext, orderId: string): Promise<readonly Purchase[]> {
  const invoice = await ctx.db
    .selectFrom("invoices")
    .innerJoin("orders", "orders.id", "invoices.order_id")
    .select(["order_id", "total", "received", "credited", "orders.tax"])
    .where("order_id", "=", orderId)
    .where("invoices.status", "=", "paid")
    // A free trial has bought no cycle.
    .where("orders.trial_hours", "is", null)
    .executeTakeFirst()
  return invoice ? [{ kind: "terms", cycles: 1, paid: await paidFor(ctx, invoice) }] : []
}

async function renewals(ctx: DbContext, serviceId: string): Promise<readonly Bought[]> {
  const rows = await ctx.db
    .selectFrom("renewal_items")
    .innerJoin("invoices", "invoices.order_id", "renewal_items.order_id")
    .innerJoin("orders", "orders.id", "renewal_items.order_id")
    .select(["terms", "amount", "applied_at", "renewal_items.order_id", "orders.tax"])
    .select(["invoices.total", "invoices.received", "invoices.credited"])
    .select(({ selectFrom }) =>
      selectFrom("renewal_items as applied")
        .select((of) => of.fn.sum<number>("applied.amount").as("sum"))
        .whereRef("applied.order_id", "=", "renewal_items.order_id")
        .where("applied.paid_until", "is not", null)
        .as("applied"),
    )
    .where("renewal_items.service_id", "=", serviceId)
    // An item that was not applied became account credit, and has no end.
    .where("renewal_items.paid_until", "is not", null)
    .execute()
  return Promise.all(
    rows.map(async ({ terms: cycles, amount, applied_at, applied, ...invoice }) => {
      const paid = paidShare(amount, { total: Number(applied), paid: await paidFor(ctx, invoice) })
      return { at: applied_at ?? 0, purchase: { kind: "terms" as const, cycles, paid } }
    }),
  )
}

async function connections(
  ctx: DbContext,
  { id, client_id, takenDays }: Pick<ServiceRow, "id" | "client_id"> & TakenDays,
): Promise<readonly Bought[]> {
  const rows = await ctx.db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select(["invoices.order_id", "invoices.total", "invoices.received", "invoices.credited", "paid_at"])
    .select("orders.tax")
    .where("orders.client_id", "=", client_id)
    .where("orders.service_id", "=", id)
    .where("orders.kind", "=", "upsell")
    .where(isAdded)
    .where("invoices.status", "=", "paid")
    .execute()
  return Promise.all(
    rows.map(async ({ paid_at, ...invoice }) => {
      const at = paid_at ?? 0
      const paid = await paidFor(ctx, invoice)
      return { at, purchase: { kind: "connections" as const, at, takenDays: takenDays(at), paid } }
    }),
  )
}

async function changes(
  ctx: DbContext,
  { id, takenDays }: Pick<ServiceRow, "id"> & TakenDays,
): Promise<readonly Bought[]> {
  const rows = await ctx.db
    .selectFrom("plan_changes")
    .innerJoin("invoices", "invoices.order_id", "plan_changes.order_id")
    .innerJoin("orders", "orders.id", "plan_changes.order_id")
    .select(["plan_changes.order_id", "starts_at", "moved", "paid_before", "applied_at", "orders.tax"])
    .select(["invoices.total", "invoices.received", "invoices.credited"])
    .where("plan_changes.service_id", "=", id)
    .where("applied_at", "is not", null)
    .execute()
  return Promise.all(
    rows.map(async ({ starts_at: at, moved, paid_before: paidBefore, applied_at, ...invoice }) => {
      const paid = await paidFor(ctx, invoice)
      const bought = { at, takenDays: takenDays(at), moved, paidBefore, paid }
      return { at: applied_at ?? 0, purchase: { kind: "change" as const, ...bought } }
    }),
  )
}
