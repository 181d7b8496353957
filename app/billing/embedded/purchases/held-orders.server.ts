import { BillingError } from "~/billing/billing"
import type { NewQuote, Release } from "~/billing/orders/order-repository"
import type { Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { CREDITS_PER_LINE } from "~/domain/services/reseller-credits"
import { promotionKeys, promotionKeysOfOrder, redeemPromotion } from "../catalogue/promotions.server"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { OrderRow } from "../db/schema/order-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { noteUpsell } from "../fulfilment/apply-upsell.server"
import { fulfil } from "../fulfilment/fulfilment.server"
import { applyTransition, settleIfCovered } from "../fulfilment/order-transitions.server"
import { spendAccountCredit } from "../ledger/customer-credit.server"
import { order } from "../orders/orders.server"
import { appendTimelineEvents, type NewTimelineEvent } from "../orders/timeline.server"
import { customerAccount, transfer } from "../reseller-credits/credit-ledger.server"
import { writeRenewalPrice } from "../services/renewal-terms.server"
import { taxOfRequote } from "../tax/tax-of-order.server"
import { assertTotalMatchesLines, writeLines } from "./insert-order.server"
import { discountedTermsIn, renewalItems } from "./place-renewal.server"

/** Releases an order on hold: see `Billing.releaseOrder`. */
export async function releaseOrder(ctx: DbContext, id: string, release: Release): Promise<Order | null> {
  return inTransaction(ctx, async (tx) => {
    const row = await rowOf(tx, id)
    if (row?.status !== "fraud" || row.decision !== null) return order(tx, id)
    const { at, reference, quoteHolds } = release
    await decide(tx, row, { decision: "released" })
    const events = quoteHolds ? await reinstate(tx, row, release) : []
    await appendTimelineEvents(tx, id, [{ kind: "released", at, reference }, ...events])
    return order(tx, id)
  })
}

/** Rejects an order on hold permanently: see `Billing.refuseOrder`. */
export async function refuseOrder(
  ctx: DbContext,
  id: string,
  { at, reference }: { at: Instant; reference: string },
): Promise<Order | null> {
  return inTransaction(ctx, async (tx) => {
    const row = await rowOf(tx, id)
    if (row?.status !== "fraud" || row.decision === "refused") return order(tx, id)
    await decide(tx, row, { decision: "refused" })
    await appendTimelineEvents(tx, id, [{ kind: "refused", at, reference }])
    return order(tx, id)
  })
}

/** Places a released order again at a new price: see `Billing.requoteOrder`. */
export async function requoteOrder(ctx: DbContext, id: string, request: NewQuote): Promise<Order> {
  assertTotalMatchesLines(request.quote)
  return inTransaction(ctx, async (tx) => {
    const row = await rowOf(tx, id)
    if (row?.status === "fraud" && row.decision === "released") await placeAgain(tx, row, request)
    const agreed = await order(tx, id)
    if (!agreed || agreed.status === "fraud")
      throw new BillingError("refused", `Cannot requote order ${id}: it is not released`)
    return agreed
  })
}

/** Replaces lines, invoice total and promo code by those of the new quote, and reinstates the order. */
async function placeAgain(ctx: DbContext, row: OrderRow, request: NewQuote): Promise<void> {
  const { db } = ctx
  const { id } = row
  const { quote, promoCode, at } = request
  const promo_key = promoCode === null ? null : (await promotionKeys(ctx, promoCode)).key
  await decide(ctx, row, { promo_key, tax: await taxOfRequote(ctx, row, request) })
  await db
    .updateTable("invoices")
    .set({ total: quote.total.minor })
    .where("order_id", "=", id)
    .where("currency", "=", quote.total.currency)
    .returning("id")
    .executeTakeFirstOrThrow()
  await db.deleteFrom("order_lines").where("order_id", "=", id).execute()
  await writeLines(ctx, id, quote.lines)
  await writeRenewalPrice(ctx, id, { quote, promoKey: promo_key })
  if (row.kind === "renewal") await repriceItems(ctx, id, quote)
  const events = await reinstate(ctx, { ...row, promo_key }, request)
  await appendTimelineEvents(ctx, id, [{ kind: "requoted", at, amount: quote.total }, ...events])
}

/** The items of a renewal have the amounts of its lines, in their order. */
async function repriceItems({ db }: DbContext, id: string, { lines }: NewQuote["quote"]): Promise<void> {
  for (const [position, { amount }] of lines.entries())
    await db
      .updateTable("renewal_items")
      .set({ amount: amount.minor })
      .where("order_id", "=", id)
      .where("position", "=", position)
      .execute()
}

/** A renewal that is released at the price of that time has the discounted terms of that time. */
async function recountDiscounts(ctx: DbContext, id: string): Promise<void> {
  for (const { serviceId, cycles } of await renewalItems(ctx, id))
    await ctx.db
      .updateTable("renewal_items")
      .set({ discounted_terms: await discountedTermsIn(ctx, { serviceId, cycles }) })
      .where("order_id", "=", id)
      .where("service_id", "=", serviceId)
      .execute()
}

function rowOf({ db }: DbContext, id: string): Promise<OrderRow | undefined> {
  return db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst()
}

/** Writes a decision, with optimistic locking on status and decision. Throws `WriteConflictError` if either changed. */
async function decide(
  { db }: DbContext,
  row: OrderRow,
  change: Partial<Pick<OrderRow, "decision" | "promo_key" | "tax">>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("orders")
    .set(change)
    .where("id", "=", row.id)
    .where("status", "=", row.status)
    .where("decision", row.decision === null ? "is" : "=", row.decision)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WriteConflictError(`Order ${row.id}`)
}

type Again = { readonly at: Instant; readonly deadline: Instant }

/**
 * Moves an order on hold back to `placed`: reopens invoice and service, redeems its promo code and uses account credit
 * in its scope. Pays it immediately if nothing is left to pay; a line is paid with a reseller credit. Returns the
 * timeline events. Throws `BillingError` "refused" if the promo code or the reseller credits are used up, or the reseller has no plan.
 */
async function reinstate(
  ctx: DbContext,
  row: OrderRow,
  { at, deadline }: Again,
): Promise<NewTimelineEvent[]> {
  const { db } = ctx
  const { id, kind, service_id: serviceId } = row
  if (!(await applyTransition(ctx, id, "released"))) throw new WriteConflictError(`Order ${id}`)
  await db.updateTable("orders").set({ deadline }).where("id", "=", id).execute()
  const invoice = await db
    .updateTable("invoices")
    .set({ status: "unpaid" })
    .where("order_id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .updateTable("services")
    .set({ status: "Pending" })
    .where("order_id", "=", id)
    .where("status", "=", "Cancelled")
    .execute()
  if (row.promo_key !== null)
    await redeemPromotion(ctx, {
      ...(await promotionKeysOfOrder(ctx, { id, promo_key: row.promo_key })),
      customerId: row.client_id,
      orderId: id,
    })
  if (kind === "renewal") await recountDiscounts(ctx, id)
  if (kind === "upsell" && serviceId !== null) await noteUpsell(ctx, id, serviceId)
  if (kind === "line") return payByAccountCredit(ctx, row, at)
  const total = money(invoice.total, invoice.currency)
  const used = await spendAccountCredit(ctx, invoice, { scope: row.credit_scope ?? "none", at })
  const events: NewTimelineEvent[] =
    used > 0 ? [{ kind: "credit-used", at, amount: money(used, invoice.currency) }] : []
  return [...events, ...(await settleIfCovered(ctx, id, { left: invoice.total - used, total, at }))]
}

/** Pays a line with the reseller's credits, which make lines only as long as the reseller has a plan. */
async function payByAccountCredit(
  ctx: DbContext,
  { id, client_id }: OrderRow,
  at: Instant,
): Promise<NewTimelineEvent[]> {
  await checkReseller(ctx, client_id)
  await applyTransition(ctx, id, "paid")
  await fulfil(ctx, id, at)
  const accounts = { from: customerAccount(client_id), to: "issued" } as const
  await transfer(ctx, { ...accounts, amount: CREDITS_PER_LINE, reference: `line ${id}`, at })
  return []
}

/** Throws `BillingError` "refused" if a customer has no active reseller service. An order does not name the one that it was placed with. */
async function checkReseller({ db }: DbContext, customerId: string): Promise<void> {
  const active = await db
    .selectFrom("services")
    .select("id")
    .where("client_id", "=", customerId)
    .where("kind", "=", "reseller")
    .where("status", "=", "Active")
    .limit(1)
    .executeTakeFirst()
  if (!active) throw new BillingError("refused", "Reseller service not active")
}
