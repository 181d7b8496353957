import { BillingError } from "~/billing/billing"
import type { MirrorStore } from "~/billing/external/mirror/mirror-store"
import type { NewPlanUpgrade } from "~/billing/services/plan-upgrades"
import type { Order } from "~/domain/orders/order"
import { payableStatuses } from "~/domain/orders/order-status"
import { planChangeLine } from "~/domain/services/plan-change"
import { type DbContext, inTransaction, type Operations } from "../db/transaction.server"
import { settleIfCovered } from "../fulfilment/order-transitions.server"
import { order } from "../orders/orders.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import {
  assertTotalMatchesLines,
  type InvoiceInput,
  insertInvoice,
  insertOrderRow,
} from "../purchases/insert-order.server"
import { placeOnce } from "../purchases/place-once.server"

export const openUpgrade: Operations<MirrorStore>["openUpgrade"] = async (ctx, serviceId, at) => {
  const row = await ctx.db
    .selectFrom("orders")
    .select("id")
    .where("service_id", "=", serviceId)
    .where("kind", "=", "plan-change")
    .where("status", "in", [...payableStatuses])
    .where("deadline", ">", at)
    .executeTakeFirst()
  return row ? order(ctx, row.id) : null
}

export async function placeUpgrade(ctx: DbContext, request: NewPlanUpgrade): Promise<Order> {
  return inTransaction(ctx, async (tx) => {
    assertTotalMatchesLines(request.quote)
    if (!planChangeLine(request.quote.lines)) throw new BillingError("refused", "Invalid quote: no plan")
    await lockService(tx, request)
    const open = await openUpgrade(tx, request.serviceId, request.at)
    if (open) return continued(open, request)
    return placeOnce(tx, request, {
      kind: "plan-change",
      insert: () => insert(tx, request),
      isRequested: ({ serviceId }) => serviceId === request.serviceId,
    })
  })
}

/** A write without a change locks the row on PostgreSQL; on SQLite the transaction is the only one anyway. */
async function lockService({ db }: DbContext, { serviceId, customerId }: NewPlanUpgrade): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("services")
    .set((row) => ({ client_id: row.ref("client_id") }))
    .where("id", "=", serviceId)
    .where("client_id", "=", customerId)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new BillingError("refused", "Service not found")
}

/** Two forms at once are one order. One of a signed-in customer is not handed to others. */
function continued(open: Order, { quote, accessScope }: NewPlanUpgrade): Order {
  const [has, wants] = [planChangeLine(open.lines), planChangeLine(quote.lines)]
  const isSame =
    has?.productId === wants?.productId &&
    has?.months === wants?.months &&
    open.total.minor === quote.total.minor &&
    (open.accessScope === null || accessScope !== null)
  if (isSame) return open
  throw new BillingError("refused", "Another change of this service is unpaid")
}

async function insert(tx: DbContext, request: NewPlanUpgrade): Promise<string | null> {
  const checked = { ...request, holdReason: null }
  const id = await insertOrderRow(tx, checked, { kind: "plan-change", service_id: request.serviceId })
  if (id !== null) await insertUpgrade(tx, id, checked)
  return id
}

async function insertUpgrade(tx: DbContext, id: string, request: InvoiceInput): Promise<void> {
  const { at, quote } = request
  const { total } = quote
  const bill = await insertInvoice(tx, id, request)
  const paid = await settleIfCovered(tx, id, { left: bill.left, total, at })
  await appendTimelineEvents(tx, id, [{ kind: "placed", at, amount: total }, ...bill.events, ...paid])
}
