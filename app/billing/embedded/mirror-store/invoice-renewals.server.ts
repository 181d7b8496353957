import { BillingError } from "~/billing/billing"
import type { MirrorStore } from "~/billing/external/mirror/mirror-store"
import type { NewRenewal } from "~/billing/services/renewals"
import type { Order } from "~/domain/orders/order"
import { type DbContext, inTransaction, type Operations } from "../db/transaction.server"
import { settleIfCovered } from "../fulfilment/order-transitions.server"
import { completeOrder } from "../orders/complete-order.server"
import { order } from "../orders/orders.server"
import { appendTimelineEvents, type NewTimelineEvent } from "../orders/timeline.server"
import { assertTotalMatchesLines, insertInvoice, insertOrderRow } from "../purchases/insert-order.server"
import { placeOnce } from "../purchases/place-once.server"
import { insertRenewalItems } from "../purchases/place-renewal.server"

export const invoicesOfOrders: Operations<MirrorStore>["invoicesOfOrders"] = async (
  { db },
  { customerId, serviceIds },
) => {
  const orders = db
    .selectFrom("orders")
    .innerJoin("external_orders", "external_orders.order_id", "orders.id")
    .select("external_orders.their_invoice_id")
  const rows = await orders
    .where("orders.client_id", "=", customerId)
    .where((row) => row.or([row("orders.kind", "!=", "renewal"), row("orders.status", "=", "paid")]))
    .unionAll(
      orders
        .innerJoin("renewal_items", "renewal_items.order_id", "orders.id")
        .where("renewal_items.service_id", "in", serviceIds)
        .where("orders.status", "=", "paid"),
    )
    .execute()
  return rows.flatMap(({ their_invoice_id }) => their_invoice_id ?? [])
}

type InvoiceRenewal = Parameters<MirrorStore["placeInvoiceRenewal"]>[0]

export async function placeInvoiceRenewal(ctx: DbContext, request: InvoiceRenewal): Promise<Order> {
  return inTransaction(ctx, async (tx) => {
    const [first] = request.items
    assertTotalMatchesLines(request.quote)
    if (!first) throw new BillingError("refused", "The invoice renews no service of the customer")
    await lockService(tx, first.serviceId)
    const open = await openInvoiceRenewal(tx, { ...request, total: request.quote.total })
    if (open) return open
    return placeOnce(tx, request, { kind: "renewal", insert: () => insert(tx, request, first.serviceId) })
  })
}

/** A write without a change locks the row on PostgreSQL; on SQLite the transaction is the only one anyway. */
async function lockService({ db }: DbContext, serviceId: string): Promise<void> {
  await db
    .updateTable("services")
    .set((row) => ({ client_id: row.ref("client_id") }))
    .where("id", "=", serviceId)
    .execute()
}

export const openInvoiceRenewal: Operations<MirrorStore>["openInvoiceRenewal"] = async (
  ctx,
  { invoiceId, customerId, total, accessScope, at, replaced },
) => {
  const rows = await ctx.db
    .selectFrom("orders")
    .innerJoin("external_orders", "external_orders.order_id", "orders.id")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .select(["orders.id", "orders.access_scope"])
    .where("orders.client_id", "=", customerId)
    .where("orders.kind", "=", "renewal")
    .where("orders.status", "in", ["placed", "awaiting-payment"])
    .where("orders.deadline", ">", at)
    .where("external_orders.their_invoice_id", "=", invoiceId)
    .where("invoices.total", "=", total.minor)
    // First the one that has used account credit.
    .orderBy("invoices.credited")
    .orderBy("orders.placed_at", "desc")
    .execute()
  // One of a signed-in customer is not handed to others.
  const found = rows.find(
    ({ id, access_scope }) => !replaced.includes(id) && (access_scope === null || accessScope !== null),
  )
  return found ? order(ctx, found.id) : null
}

async function insert(
  tx: DbContext,
  { invoiceId, taxes, pollAt, replaced: _, ...request }: InvoiceRenewal,
  serviceId: string,
): Promise<string | null> {
  const external_tax = taxes ? JSON.stringify(taxes) : null
  const id = await insertOrderRow(tx, request, { kind: "renewal", service_id: serviceId, external_tax })
  if (id === null) return null
  await tx.db
    .insertInto("external_orders")
    .values({
      order_id: id,
      state: "made",
      their_order_id: null,
      their_invoice_id: invoiceId,
      link: null,
      tries: 0,
      claimed_until: 0,
      held_until: 0,
      held_by: null,
      poll_after: pollAt,
    })
    .execute()
  await insertInvoiceRenewal(tx, id, request)
  return id
}

async function insertInvoiceRenewal(tx: DbContext, id: string, request: NewRenewal): Promise<void> {
  const { at, quote, items } = request
  const { total } = quote
  const bill = await insertInvoice(tx, id, request)
  await insertRenewalItems(tx, id, items)
  const paid = await settleIfCovered(tx, id, { left: bill.left, total, at })
  await appendTimelineEvents(tx, id, [{ kind: "placed", at, amount: total }, ...bill.events, ...paid])
}

export const beginSettlement: Operations<MirrorStore>["beginSettlement"] = async (
  { db, newId },
  orderId,
  { at, until, latestLease },
) => {
  const by = newId()
  const { numUpdatedRows } = await db
    .updateTable("external_orders")
    .set({ held_by: by, held_until: until })
    .where("order_id", "=", orderId)
    .where((row) => row.or([row("held_until", "<=", at), row("held_until", ">", latestLease)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n ? { orderId, by } : null
}

export const extendSettlement: Operations<MirrorStore>["extendSettlement"] = async (ctx, claim, until) => {
  const { numUpdatedRows } = await ctx.db
    .updateTable("external_orders")
    .set({ held_until: until })
    .where("order_id", "=", claim.orderId)
    .where("held_by", "=", claim.by)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const endSettlement: Operations<MirrorStore>["endSettlement"] = async (ctx, claim, at) =>
  void (await extendSettlement(ctx, claim, at))

type Settled = Parameters<MirrorStore["completeInvoiceRenewal"]>[1]

export async function completeInvoiceRenewal(ctx: DbContext, paid: Order, settled: Settled): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (!(await completeOrder(tx, paid.id))) return
    const isDone = settled.credited.minor === 0 || settled.credited.minor < paid.total.minor
    if (isDone) await writeDueDates(tx, paid, settled)
    await appendTimelineEvents(tx, paid.id, eventsOf(paid, settled, isDone))
  })
}

async function writeDueDates({ db }: DbContext, { id }: Order, { at, dueDates }: Settled): Promise<void> {
  for (const [serviceId, due] of dueDates) {
    await db
      .updateTable("renewal_items")
      .set({ applied_at: at, paid_until: due })
      .where("order_id", "=", id)
      .where("service_id", "=", serviceId)
      .execute()
  }
}

function eventsOf({ kind }: Order, { at, credited }: Settled, isDone: boolean): NewTimelineEvent[] {
  const done = kind === "plan-change" ? "provisioned" : "renewed"
  const events: NewTimelineEvent[] = isDone ? [{ kind: done, at }] : []
  if (credited.minor > 0) events.push({ kind: "credit-added", at, amount: credited })
  return events
}
