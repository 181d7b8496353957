import { BillingError } from "~/billing/billing"
import type { NewUpsell } from "~/billing/orders/new-order"
import type { Order } from "~/domain/orders/order"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { noteUpsell } from "../fulfilment/apply-upsell.server"
import { settleIfCovered } from "../fulfilment/order-transitions.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { service } from "../services/services.server"
import { assertTotalMatchesLines, insertInvoice, insertOrderRow, isHeld } from "./insert-order.server"
import { placeOnce } from "./place-once.server"

/** Creates order and invoice for extra connections: see `Billing.addInvoice`. */
export async function addInvoice(ctx: DbContext, request: NewUpsell): Promise<Order> {
  return inTransaction(ctx, (tx) =>
    placeOnce(tx, request, {
      kind: "upsell",
      insert: () => insert(tx, request),
      isRequested: ({ serviceId }) => serviceId === request.serviceId,
    }),
  )
}

async function insert(tx: DbContext, request: NewUpsell): Promise<string | null> {
  checkQuote(request)
  await checkService(tx, request)
  const id = await insertOrderRow(tx, request, { kind: "upsell", service_id: request.serviceId })
  if (id) await insertUpsell(tx, id, request)
  return id
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

async function insertUpsell(ctx: DbContext, id: string, request: NewUpsell): Promise<void> {
  const { at, quote, serviceId } = request
  const { total } = quote
  await noteUpsell(ctx, id, serviceId)
  const bill = await insertInvoice(ctx, id, request)
  const paid = isHeld(request) ? [] : await settleIfCovered(ctx, id, { left: bill.left, total, at })
  await appendTimelineEvents(ctx, id, [{ kind: "placed", at, amount: total }, ...bill.events, ...paid])
}
