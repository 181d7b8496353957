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
export async function addInvoice(books: DbContext, wish: NewUpsell): Promise<Order> {
  return inTransaction(books, async (inside) => {
    const placed = await orderByIdempotencyKey(inside, wish.key)
    if (placed) return sameWish(placed, wish)
    checkQuote(wish)
    await checkService(inside, wish)
    const id = await insertOrderRow(inside, wish, {
      ...{ kind: "upsell", service_id: wish.serviceId, promo_key: null, affiliate_id: null },
    })
    if (id) await write(inside, id, wish)
    const written = id ? await order(inside, id) : await orderByIdempotencyKey(inside, wish.key)
    if (!written) throw new BillingError("unreadable", "The order that was just written is not there")
    return sameWish(written, wish)
  })
}

/** A key opens nothing but what its owner has made with it. */
function sameWish(placed: Order, { customerId, serviceId }: NewUpsell): Order {
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

async function checkService(books: DbContext, { serviceId, customerId }: NewUpsell): Promise<void> {
  const found = await service(books, serviceId)
  if (found?.status !== "Active" || found.customerId !== customerId)
    throw new BillingError("refused", "There is no such service to add connections to")
}

async function write(books: DbContext, id: string, wish: NewUpsell): Promise<void> {
  const { at, quote } = wish
  const { total } = quote
  const bill = await insertInvoice(books, id, wish)
  const paid = isHeld(wish) ? [] : await settleIfCovered(books, id, { left: bill.left, total, at })
  await appendTimelineEvents(books, id, [{ kind: "placed", at, amount: total }, ...bill.told, ...paid])
}
