import type { Visitor } from "~/billing/customers/customers"
import type { Instant } from "~/domain/calendar"
import { EMAIL_CORRECTIONS, isEmailCorrectable, isMovable, type Order } from "~/domain/orders/order"
import { paidStatuses, payableStatuses } from "~/domain/orders/order-status"
import type { MessageName } from "~/domain/shop/mail"
import { identify } from "../customers/customers.server"
import { WriteConflictError } from "../db/engines/database-errors.server"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { enqueueMail } from "../mail/enqueue-mail.server"
import { order } from "../orders/orders.server"
import { appendTimelineEvents } from "../orders/timeline.server"
import { recordOrderMoved } from "../webhooks/timeline-events.server"

/**
 * Moves an order to the customer of another e-mail: see `OrderRepository.correctEmail`. The former customer stays as it is,
 * because other orders may belong to it: changing its e-mail would hand them over.
 */
export async function correctEmail(ctx: DbContext, orderId: string, visitor: Visitor): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const orders = await movableOrders(tx, orderId)
    if (orders.length === 0 || (await isCorrectedOften(tx, orderId))) return false
    const { customerId: to } = await identify(tx, visitor)
    const { at } = visitor
    for (const found of orders.filter(({ customerId }) => customerId !== to)) {
      await move(tx, { orderId: found.id, from: found.customerId, to, at })
      await readdressMails(tx, found, { to, at })
      await appendTimelineEvents(tx, found.id, [{ kind: "email-corrected", at }])
    }
    return true
  })
}

async function isCorrectedOften({ db }: DbContext, orderId: string): Promise<boolean> {
  const corrected = await db
    .selectFrom("order_events")
    .select("position")
    .where("order_id", "=", orderId)
    .where("kind", "=", "email-corrected")
    .execute()
  return corrected.length >= EMAIL_CORRECTIONS
}

/**
 * Moves a customer's orders, in the current transaction, to who has proven the e-mail under which they were placed: those whose
 * e-mail the buyer could correct. As at the checkout, what is paid belongs to the owner of the address.
 */
export async function moveCorrectableOrders(
  ctx: DbContext,
  { from, to, at }: Omit<Move, "orderId">,
): Promise<void> {
  const placed = await ctx.db
    .selectFrom("orders")
    .select("id")
    .where("client_id", "=", from)
    .where("status", "in", [...payableStatuses, ...paidStatuses])
    .execute()
  const moved = new Set<string>()
  for (const { id: orderId } of placed)
    for (const { id } of moved.has(orderId) ? [] : await movableTogether(ctx, orderId)) {
      await move(ctx, { orderId: id, from, to, at })
      await moveWaitingMails(ctx, id, to)
      moved.add(id)
    }
}

/** Orders whose services one renewal has extended, and all that was ordered for them since: they move together, or stay. */
async function movableTogether(ctx: DbContext, orderId: string): Promise<readonly Order[]> {
  const found = new Map<string, Order>()
  const firsts = [orderId]
  // It grows while it is gone through.
  for (const firstId of firsts) {
    const orders = await ordersOfService(ctx, firstId)
    if (orders.length === 0) return []
    for (const order of orders) found.set(order.id, order)
    const others = await renewedTogether(ctx, orders)
    firsts.push(...others.filter((id) => !firsts.includes(id)))
  }
  return [...found.values()]
}

/** An order that may be moved alone, and what its customer has ordered for its service since. Empty if one has to stay where it is. */
async function movableOrders(ctx: DbContext, orderId: string): Promise<readonly Order[]> {
  const orders = await ordersOfService(ctx, orderId)
  // Other services that an order renews stay with their customer.
  const others = await renewedTogether(ctx, orders)
  return others.some((id) => id !== orderId) ? [] : orders
}

/**
 * An order that may be moved, and what its customer has ordered for its service since: it would be somebody else's service otherwise.
 * Empty if one of them may not.
 */
async function ordersOfService(ctx: DbContext, orderId: string): Promise<readonly Order[]> {
  const first = await movableOrder(ctx, orderId, isEmailCorrectable)
  if (!first) return []
  const orders = [first]
  for (const laterId of await laterOrders(ctx, first)) {
    const later = await movableOrder(ctx, laterId, isMovable)
    if (!later) return []
    orders.push(later)
  }
  return orders
}

/** Orders of a customer for the service that an order has created, in the order of their ids, in which they are locked. */
async function laterOrders(
  { db }: DbContext,
  { id, customerId, serviceId }: Order,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("orders")
    .leftJoin("renewal_items", (join) =>
      join.onRef("renewal_items.order_id", "=", "orders.id").on("renewal_items.service_id", "=", serviceId),
    )
    .select("orders.id")
    .where("orders.client_id", "=", customerId)
    .where("orders.id", "!=", id)
    .where((row) =>
      row.or([row("orders.service_id", "=", serviceId), row("renewal_items.service_id", "is not", null)]),
    )
    .orderBy("orders.id")
    .execute()
  return rows.map((row) => row.id)
}

/** Ids of the orders that have created the services that some orders renew. */
async function renewedTogether({ db }: DbContext, orders: readonly Order[]): Promise<readonly string[]> {
  if (orders.length === 0) return []
  const rows = await db
    .selectFrom("renewal_items")
    .innerJoin("services", "services.id", "renewal_items.service_id")
    .select("services.order_id")
    .distinct()
    .where(
      "renewal_items.order_id",
      "in",
      orders.map(({ id }) => id),
    )
    .orderBy("services.order_id")
    .execute()
  return rows.map(({ order_id }) => order_id)
}

/**
 * An order that may be moved, which is locked with its invoice until the end of the transaction; null otherwise. Account credit that
 * it has brought, or was refunded as, is its customer's: the order stays with it. A payment or refund of this moment is waited for.
 */
async function movableOrder(
  ctx: DbContext,
  orderId: string,
  mayMove: (order: Order) => boolean,
): Promise<Order | null> {
  await lock(ctx, orderId)
  const found = await order(ctx, orderId)
  if (!found || !mayMove(found)) return null
  const refund = await ctx.db
    .selectFrom("order_refunds")
    .select("id")
    .where("order_id", "=", orderId)
    .where("target", "=", "credit")
    .executeTakeFirst()
  return refund === undefined ? found : null
}

/** Writes without a change lock the rows on PostgreSQL. */
async function lock({ db }: DbContext, orderId: string): Promise<void> {
  await db
    .updateTable("orders")
    .set((row) => ({ client_id: row.ref("client_id") }))
    .where("id", "=", orderId)
    .execute()
  await db
    .updateTable("invoices")
    .set((row) => ({ client_id: row.ref("client_id") }))
    .where("order_id", "=", orderId)
    .execute()
}

type Move = { readonly orderId: string; readonly from: string; readonly to: string; readonly at: Instant }

async function move(ctx: DbContext, { orderId, from, to, at }: Move): Promise<void> {
  const { db } = ctx
  const { numUpdatedRows } = await db
    .updateTable("orders")
    .set({ client_id: to })
    .where("id", "=", orderId)
    .where("client_id", "=", from)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WriteConflictError(`Order ${orderId}`)
  // Before the payments: a settlement that has the invoice's lock commits first, and its payment moves too.
  await db.updateTable("invoices").set({ client_id: to }).where("order_id", "=", orderId).execute()
  const invoices = db.selectFrom("invoices").select("id").where("order_id", "=", orderId)
  await db.updateTable("payments").set({ client_id: to }).where("invoice_id", "in", invoices).execute()
  await db.updateTable("services").set({ client_id: to }).where("order_id", "=", orderId).execute()
  // The address that was mistyped is another person's: its documents name the right one.
  await db
    .updateTable("tax_documents")
    .set((row) => ({
      buyer_email: row.selectFrom("clients").select("clients.email").where("clients.id", "=", to),
    }))
    .where("order_id", "=", orderId)
    .execute()
  await recordOrderMoved(ctx, orderId, at)
}

/** What a buyer must not miss; other messages are about a moment that has passed. */
const sentAgain: readonly MessageName[] = ["receipt", "payment-received", "new-reseller"]

/** Messages that wait go to the right address, and the order's receipts go there again. */
async function readdressMails(
  ctx: DbContext,
  { id: orderId, locale }: Order,
  { to, at }: { to: string; at: Instant },
): Promise<void> {
  await moveWaitingMails(ctx, orderId, to)
  const sent = await ctx.db
    .selectFrom("mails")
    .select("name")
    .distinct()
    .where("order_id", "=", orderId)
    .where("name", "in", sentAgain)
    .where("state", "!=", "waiting")
    .execute()
  for (const { name } of sent)
    await enqueueMail(ctx, { name, onceKey: `${name} ${orderId} ${to}`, at, orderId, clientId: to, locale })
}

async function moveWaitingMails({ db }: DbContext, orderId: string, to: string): Promise<void> {
  await db
    .updateTable("mails")
    .set({ client_id: to })
    .where("order_id", "=", orderId)
    .where("client_id", "is not", null)
    .where("state", "=", "waiting")
    .execute()
}
