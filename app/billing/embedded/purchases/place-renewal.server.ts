import { BillingError, ConcurrentRenewal } from "~/billing/billing"
import type { NewRenewal } from "~/billing/services/renewals"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { type RenewalItem, type RenewedItem, renewable } from "~/domain/services/renewal"
import type { DbContext } from "../db/transaction.server"
import { settleIfCovered } from "../fulfilment/order-transitions.server"
import { order } from "../orders/orders.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { renewalTerms } from "../services/renewal-terms.server"
import { lockService } from "../services/service-row.server"
import { service } from "../services/services.server"
import { assertTotalMatchesLines, insertInvoice, insertOrderRow, isHeld } from "./insert-order.server"
import { placeOnce } from "./place-once.server"

/** Creates order and invoice for terms of existing services, in the current transaction: see `Renewals.placeRenewal`. */
export async function placeRenewal(tx: DbContext, request: NewRenewal): Promise<Order> {
  return placeOnce(tx, request, { kind: "renewal", insert: () => insert(tx, request) })
}

async function insert(tx: DbContext, request: NewRenewal): Promise<string | null> {
  const first = checkLines(request)
  await checkServices(tx, request)
  await checkKnown(tx, first, request)
  const id = await insertOrderRow(tx, request, {
    kind: "renewal",
    service_id: first.serviceId,
    affiliate_id: await affiliateOfTrial(tx, request),
  })
  if (id) await insertRenewal(tx, id, request)
  return id
}

/** The affiliate of a free trial, whose first paid term is the purchase that they have brought. Null for every other renewal. */
async function affiliateOfTrial({ db }: DbContext, { items }: NewRenewal): Promise<string | null> {
  const [only, ...others] = items
  if (!only || others.length > 0) return null
  const tried = await db
    .selectFrom("services")
    .innerJoin("orders", "orders.id", "services.order_id")
    .select("orders.affiliate_id")
    .where("services.id", "=", only.serviceId)
    .where("services.trial_hours", "is not", null)
    .executeTakeFirst()
  return tried?.affiliate_id ?? null
}

/** The lines must be those of the items, in their order, and every service there once. Returns the first item. */
function checkLines({ quote, items }: NewRenewal): RenewalItem {
  assertTotalMatchesLines(quote)
  const [first] = items
  const isEach = items.every(({ amount }, at) => {
    const line = quote.lines[at]
    return line?.kind === "renewal" && line.amount.minor === amount.minor
  })
  const isOnce = new Set(items.map(({ serviceId }) => serviceId)).size === items.length
  if (!first || !isEach || !isOnce || quote.lines.length !== items.length)
    throw new BillingError("refused", "Invalid quote: lines do not match the services")
  return first
}

async function checkServices(ctx: DbContext, request: NewRenewal): Promise<void> {
  for (const item of request.items) await checkService(ctx, item, request)
}

/** Of two renewals at once, the second waits for the first, and finds it. */
async function checkKnown(
  tx: DbContext,
  { serviceId }: RenewalItem,
  { known, at }: NewRenewal,
): Promise<void> {
  if (!known) return
  await lockService(tx, serviceId)
  const unpaid = await unpaidIds(tx, { serviceId, at })
  if (unpaid.some((id) => !known.includes(id))) throw new ConcurrentRenewal(serviceId)
}

async function checkService(
  ctx: DbContext,
  { serviceId, cycles, amount }: RenewalItem,
  { customerId }: NewRenewal,
): Promise<void> {
  const found = await service(ctx, serviceId)
  const isOwned = found?.customerId === customerId && found.currency === amount.currency
  if (!isOwned || cycles < 1 || !renewable(found) || !(await renewalTerms(ctx, serviceId)))
    throw new BillingError("refused", "Service not found or not renewable")
}

async function insertRenewal(ctx: DbContext, id: string, request: NewRenewal): Promise<void> {
  const { at, quote, items } = request
  const { total } = quote
  const bill = await insertInvoice(ctx, id, request)
  await insertRenewalItems(ctx, id, items)
  const paid = isHeld(request) ? [] : await settleIfCovered(ctx, id, { left: bill.left, total, at })
  await appendTimelineEvents(ctx, id, [{ kind: "placed", at, amount: total }, ...bill.events, ...paid])
}

export async function insertRenewalItems(
  ctx: DbContext,
  orderId: string,
  items: readonly RenewalItem[],
): Promise<void> {
  const discounted = await Promise.all(items.map((item) => discountedTermsIn(ctx, item)))
  await ctx.db
    .insertInto("renewal_items")
    .values(
      items.map(({ serviceId, cycles, amount }, position) => ({
        order_id: orderId,
        service_id: serviceId,
        position,
        terms: cycles,
        amount: amount.minor,
        currency: amount.currency,
        applied_at: null,
        paid_until: null,
        discounted_terms: discounted[position] ?? null,
      })),
    )
    .execute()
}

/** How many terms of an item are at a price with a limited discount, as it is priced now; null: none. */
export async function discountedTermsIn(
  ctx: DbContext,
  { serviceId, cycles }: Pick<RenewalItem, "serviceId" | "cycles">,
): Promise<number | null> {
  const terms = await renewalTerms(ctx, serviceId)
  if (!terms?.discountedTerms || terms.discount.minor === 0) return null
  return Math.min(cycles, terms.discountedTerms)
}

/** What an order renews: see `Renewals.renewalItems`. */
export async function renewalItems({ db }: DbContext, orderId: string): Promise<readonly RenewedItem[]> {
  const rows = await db
    .selectFrom("renewal_items")
    .innerJoin("services", "services.id", "renewal_items.service_id")
    .selectAll("renewal_items")
    .select(["services.name", "services.username"])
    .where("renewal_items.order_id", "=", orderId)
    .orderBy("position")
    .execute()
  return rows.map((row) => ({
    serviceId: row.service_id,
    name: row.name,
    username: row.username,
    cycles: row.terms,
    amount: money(row.amount, row.currency),
    until: row.paid_until,
  }))
}

/** Unpaid orders that renew a service: see `Renewals.unpaidRenewals`. */
export async function unpaidRenewals(ctx: DbContext, payable: PayableAt): Promise<readonly Order[]> {
  const orders = await Promise.all((await unpaidIds(ctx, payable)).map((id) => order(ctx, id)))
  return orders.filter((it) => it !== null)
}

type PayableAt = { readonly serviceId: string; readonly at: Instant }

const MOST_UNPAID = 10

async function unpaidIds({ db }: DbContext, { serviceId, at }: PayableAt): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("renewal_items")
    .innerJoin("orders", "orders.id", "renewal_items.order_id")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select("orders.id")
    .where("renewal_items.service_id", "=", serviceId)
    .where("renewal_items.applied_at", "is", null)
    .where("orders.kind", "=", "renewal")
    .where("orders.status", "in", ["placed", "awaiting-payment"])
    .where("orders.deadline", ">", at)
    .where("invoices.received", "=", 0)
    .where("invoices.credited", "<=", 0)
    .orderBy("orders.placed_at", "desc")
    .limit(MOST_UNPAID)
    .execute()
  return rows.map(({ id }) => id)
}
