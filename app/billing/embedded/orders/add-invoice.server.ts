import { BillingError } from "~/billing/billing"
import type { NewUpsell } from "~/billing/new-order"
import type { Order } from "~/domain/order"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { service } from "../services/services.server"
import { assertTotalMatchesLines, insertInvoice, insertOrderRow, isHeld } from "./insert-order.server"
import { settleIfCovered } from "./order-transitions.server"
import { order, orderByIdempotencyKey } from "./orders.server"
import { appendTimelineEvents } from "./timeline.server"

/** Order and invoice for more connections of a service: see `Billing.addInvoice`. */
export async function addInvoice(ctx: DbContext, request: NewUpsell): Promise<Order> {
  return inTransaction(ctx, async (tx) => {
    const placed = await orderByIdempotencyKey(tx, request.key)
    if (placed) return isSameRequest(placed, request)
    checkQuote(request)
    await checkService(tx, request)
    const id = await insertOrderRow(tx, request, {
      ...{ kind: "upsell", service_id: request.serviceId, promo_key: null, affiliate_id: null },
    })
    if (id) await write(tx, id, request)
    const written = id ? await order(tx, id) : await orderByIdempotencyKey(tx, request.key)
    if (!written) throw new BillingError("unreadable", "The order that was just written is not there")
    return isSameRequest(written, request)
  })
}

/** A key opens nothing but what its owner has made with it. */
function isSameRequest(placed: Order, { customerId, serviceId }: NewUpsell): Order {
  const his = placed.customerId === customerId && placed.serviceId === serviceId
  if (his && placed.kind === "upsell") return placed
  throw new BillingError("refused", "This key has made another order")
}

/** What is charged for is what is added: the lines are the ones the service's connections grow by. */
function checkQuote({ quote, quantity }: NewUpsell): void {
  assertTotalMatchesLines(quote)
  const bought = quote.lines.map((line) => (line.kind === "moreConnections" ? line.quantity : 0))
  if (quantity < 1 || bought.reduce((sum, more) => sum + more, 0) !== quantity)
    throw new BillingError("refused", "The lines are not for the connections that were asked for")
}

async function checkService(ctx: DbContext, { serviceId, customerId }: NewUpsell): Promise<void> {
  const found = await service(ctx, serviceId)
  if (found?.status !== "Active" || found.customerId !== customerId)
    throw new BillingError("refused", "There is no such service to add connections to")
}

async function write(ctx: DbContext, id: string, request: NewUpsell): Promise<void> {
  const { at, quote } = request
  const { total } = quote
  const bill = await insertInvoice(ctx, id, request)
  const paid = isHeld(request) ? [] : await settleIfCovered(ctx, id, { left: bill.left, total, at })
  await appendTimelineEvents(ctx, id, [{ kind: "placed", at, amount: total }, ...bill.events, ...paid])
}
