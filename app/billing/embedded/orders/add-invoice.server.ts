import { BillingError } from "~/billing/billing"
import type { NewUpsell } from "~/billing/new-order"
import type { Order } from "~/domain/order"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { service } from "../services/services.server"
import { assertTotalMatchesLines, insertInvoice, insertOrderRow, isHeld } from "./insert-order.server"
import { settleIfCovered } from "./order-transitions.server"
import { order, orderByIdempotencyKey } from "./orders.server"
import { appendTimelineEvents } from "./timeline.server"

/** Creates order and invoice for extra connections: see `Billing.addInvoice`. */
export async function addInvoice(ctx: DbContext, request: NewUpsell): Promise<Order> {
  return inTransaction(ctx, async (tx) => {
    const placed = await orderByIdempotencyKey(tx, request.key)
    if (placed) return isSameRequest(placed, request)
    checkQuote(request)
    await checkService(tx, request)
    const id = await insertOrderRow(tx, request, {
      kind: "upsell",
      service_id: request.serviceId,
      promo_key: null,
      affiliate_id: null,
    })
    if (id) await write(tx, id, request)
    const written = id ? await order(tx, id) : await orderByIdempotencyKey(tx, request.key)
    if (!written) throw new BillingError("unreadable", "Order not found after insert")
    return isSameRequest(written, request)
  })
}

/** Returns the order if its idempotency key was used by the same customer for the same service; throws otherwise. */
function isSameRequest(placed: Order, { customerId, serviceId }: NewUpsell): Order {
  const isSameCustomer = placed.customerId === customerId && placed.serviceId === serviceId
  if (isSameCustomer && placed.kind === "upsell") return placed
  throw new BillingError("refused", "Idempotency key was used for a different order")
}

/** The charged quantity must equal the connections to add: the service grows by the quantity on the lines. */
function checkQuote({ quote, quantity }: NewUpsell): void {
  assertTotalMatchesLines(quote)
  const bought = quote.lines.map((line) => (line.kind === "moreConnections" ? line.quantity : 0))
  if (quantity < 1 || bought.reduce((sum, more) => sum + more, 0) !== quantity)
    throw new BillingError("refused", "Invalid quote: lines do not match the quantity")
}

async function checkService(ctx: DbContext, { serviceId, customerId }: NewUpsell): Promise<void> {
  const found = await service(ctx, serviceId)
  if (found?.status !== "Active" || found.customerId !== customerId)
    throw new BillingError("refused", "Service not found or not active")
}

async function write(ctx: DbContext, id: string, request: NewUpsell): Promise<void> {
  const { at, quote } = request
  const { total } = quote
  const bill = await insertInvoice(ctx, id, request)
  const paid = isHeld(request) ? [] : await settleIfCovered(ctx, id, { left: bill.left, total, at })
  await appendTimelineEvents(ctx, id, [{ kind: "placed", at, amount: total }, ...bill.events, ...paid])
}
