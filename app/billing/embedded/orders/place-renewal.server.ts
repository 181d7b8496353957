import { BillingError } from "~/billing/billing"
import type { NewRenewal } from "~/billing/renewals"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { type RenewalItem, type RenewedItem, renewable } from "~/domain/renewal"
import type { DbContext } from "../db/transaction.server"
import { renewalTerms } from "../services/renewal-terms.server"
import { service } from "../services/services.server"
import { assertTotalMatchesLines, insertInvoice, insertOrderRow, isHeld } from "./insert-order.server"
import { settleIfCovered } from "./order-transitions.server"
import { order, orderByIdempotencyKey } from "./orders.server"
import { appendTimelineEvents } from "./timeline.server"

/** Creates order and invoice for terms of existing services, in the current transaction: see `Renewals.placeRenewal`. */
export async function placeRenewal(tx: DbContext, request: NewRenewal): Promise<Order> {
  const placed = await orderByIdempotencyKey(tx, request.key)
  if (placed) return assertSameRequest(placed, request)
  const first = checkLines(request)
  await checkServices(tx, request)
  const id = await insertOrderRow(tx, request, {
    kind: "renewal",
    service_id: first.serviceId,
    promo_key: null,
    affiliate_id: null,
  })
  if (id) await write(tx, id, request)
  const written = id ? await order(tx, id) : await orderByIdempotencyKey(tx, request.key)
  if (!written) throw new BillingError("unreadable", "Order not found after insert")
  return assertSameRequest(written, request)
}

/** Returns the order if its idempotency key was used by the same customer for a renewal; throws otherwise. */
function assertSameRequest(placed: Order, { customerId }: NewRenewal): Order {
  if (placed.kind === "renewal" && placed.customerId === customerId) return placed
  throw new BillingError("refused", "Idempotency key was used for a different order")
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

async function write(ctx: DbContext, id: string, request: NewRenewal): Promise<void> {
  const { at, quote, items } = request
  const { total } = quote
  const bill = await insertInvoice(ctx, id, request)
  await ctx.db
    .insertInto("renewal_items")
    .values(
      items.map(({ serviceId, cycles, amount }, position) => ({
        order_id: id,
        service_id: serviceId,
        position,
        terms: cycles,
        amount: amount.minor,
        currency: amount.currency,
        applied_at: null,
        paid_until: null,
      })),
    )
    .execute()
  const paid = isHeld(request) ? [] : await settleIfCovered(ctx, id, { left: bill.left, total, at })
  await appendTimelineEvents(ctx, id, [{ kind: "placed", at, amount: total }, ...bill.events, ...paid])
}

/** What an order renews: see `Renewals.renewalItems`. */
export async function renewalItems({ db }: DbContext, orderId: string): Promise<readonly RenewedItem[]> {
  const rows = await db
    .selectFrom("renewal_items")
    .innerJoin("services", "services.id", "renewal_items.service_id")
    .selectAll("renewal_items")
    .select("services.name")
    .where("renewal_items.order_id", "=", orderId)
    .orderBy("position")
    .execute()
  return rows.map((row) => ({
    serviceId: row.service_id,
    name: row.name,
    cycles: row.terms,
    amount: money(row.amount, row.currency),
    until: row.paid_until,
  }))
}
