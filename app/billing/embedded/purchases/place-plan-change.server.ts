import { BillingError } from "~/billing/billing"
import type { NewPlanChange, OrderedPlanChange } from "~/billing/services/plan-changes"
import { money, sameAmount } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { changeableFrom, unusedValue } from "~/domain/services/plan-change"
import { isTrial } from "~/domain/services/term"
import type { ServiceRow } from "../db/schema/order-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { settleIfCovered } from "../fulfilment/order-transitions.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { pricedRow } from "../services/renewal-terms.server"
import { paidInAll, purchasesOf, trialEnd } from "../services/service-purchases.server"
import { termOf } from "../services/stored-term.server"
import { assertTotalMatchesLines, insertInvoice, insertOrderRow, isHeld } from "./insert-order.server"
import { placeOnce } from "./place-once.server"

/** Creates order and invoice for a change of plan: see `PlanChanges.placePlanChange`. */
export async function placePlanChange(ctx: DbContext, request: NewPlanChange): Promise<Order> {
  return inTransaction(ctx, (tx) =>
    placeOnce(tx, request, {
      kind: "plan-change",
      insert: () => insert(tx, request),
      isRequested: ({ serviceId }) => serviceId === request.serviceId,
    }),
  )
}

async function insert(tx: DbContext, request: NewPlanChange): Promise<string | null> {
  checkQuote(request)
  const former = await formerOf(tx, request)
  const id = await insertOrderRow(tx, request, { kind: "plan-change", service_id: request.serviceId })
  if (id) await insertPlanChange(tx, id, { request, former })
  return id
}

/** The unused time is taken off once, and at its value. */
function checkQuote({ quote, credit }: NewPlanChange): void {
  assertTotalMatchesLines(quote)
  const [plan, unused, ...others] = quote.lines
  const off = unused?.kind === "unusedTime" ? -unused.amount.minor : 0
  if (plan?.kind !== "planChange" || off !== credit.minor || others.length > 0 || (unused && off === 0))
    throw new BillingError("refused", "Invalid quote: a change of plan is its price less the unused time")
}

type Former = { readonly row: ServiceRow & FormerColumns; readonly paidBefore: number }
type FormerColumns = { readonly cycle: NonNullable<ServiceRow["cycle"]>; readonly term_anchor: number }

/** The service as it is, with what was paid for it. Throws `BillingError` "refused" if it cannot be changed like that. */
async function formerOf(tx: DbContext, request: NewPlanChange): Promise<Former> {
  const { serviceId, customerId, credit, from, at } = request
  const row = await pricedRow(tx, serviceId)
  const term = row && termOf(row)
  const isChangeable =
    row?.client_id === customerId &&
    row.status === "Active" &&
    row.kind === "plan" &&
    (row.paid_until ?? 0) > at &&
    from <= at &&
    changeableFrom(row.plan_changed_at, at) === null &&
    trialEnd(row, at) === null
  if (!isChangeable || !term || isTrial(term) || row.cycle === null || row.next?.startsAt)
    throw new BillingError("refused", "Service not found or not changeable")
  const { cycle, currency } = row
  const purchases = await purchasesOf(tx, row)
  if (!sameAmount(unusedValue(purchases, { term, cycle, at: from, currency }), credit))
    throw new BillingError("refused", "The unused time has another value by now")
  return { row: { ...row, cycle, term_anchor: term.anchor }, paidBefore: paidInAll(purchases) }
}

type Writing = { readonly request: NewPlanChange; readonly former: Former }

async function insertPlanChange(ctx: DbContext, id: string, { request, former }: Writing): Promise<void> {
  const { at, quote } = request
  const { total } = quote
  const bill = await insertInvoice(ctx, id, request)
  await insertChange(ctx, id, { request, former })
  const paid = isHeld(request) ? [] : await settleIfCovered(ctx, id, { left: bill.left, total, at })
  await appendTimelineEvents(ctx, id, [{ kind: "placed", at, amount: total }, ...bill.events, ...paid])
}

async function insertChange({ db }: DbContext, id: string, { request, former }: Writing): Promise<void> {
  const { serviceId, target, kind, credit, from, term, until } = request
  const { row, paidBefore } = former
  await db
    .insertInto("plan_changes")
    .values({
      order_id: id,
      service_id: serviceId,
      kind,
      former_product_id: row.product_id,
      former_name: row.name,
      former_cycle: row.cycle,
      former_anchor: row.term_anchor,
      former_count: row.term_count,
      former_connections: row.connections,
      product_id: target.productId,
      name: target.name,
      cycle: target.cycle,
      price: target.price.minor,
      moved: credit.minor,
      paid_before: paidBefore,
      currency: credit.currency,
      starts_at: from,
      term_anchor: term.anchor,
      term_zone: term.zone,
      term_count: term.count,
      extra_days: term.extraDays,
      paid_until: until,
      applied_at: null,
    })
    .execute()
}

/** What an order changes: see `PlanChanges.planChangeOf`. */
export async function planChangeOf({ db }: DbContext, orderId: string): Promise<OrderedPlanChange | null> {
  const row = await db
    .selectFrom("plan_changes")
    .selectAll()
    .where("order_id", "=", orderId)
    .executeTakeFirst()
  if (!row) return null
  const { product_id: productId, name, cycle, price, currency } = row
  return {
    former: row.former_name,
    target: { productId, name, cycle, price: money(price, currency) },
    until: row.paid_until,
    appliedAt: row.applied_at,
  }
}
