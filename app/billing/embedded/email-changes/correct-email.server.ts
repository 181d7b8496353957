import type { Visitor } from "~/billing/customers/customers"
import type { Instant } from "~/domain/calendar"
import type { MessageName } from "~/domain/mail"
import { EMAIL_CORRECTIONS, isEmailCorrectable, type Order } from "~/domain/order"
import { paidStatuses, payableStatuses } from "~/domain/order-status"
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
    const found = await movableOrder(tx, orderId)
    if (!found || (await isCorrectedOften(tx, orderId))) return false
    const { customerId } = await identify(tx, visitor)
    if (customerId === found.customerId) return true
    await move(tx, { orderId, from: found.customerId, to: customerId, at: visitor.at })
    await readdressMails(tx, found, { to: customerId, at: visitor.at })
    await appendTimelineEvents(tx, orderId, [{ kind: "email-corrected", at: visitor.at }])
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
  for (const { id: orderId } of placed) {
    if (!(await movableOrder(ctx, orderId))) continue
    await move(ctx, { orderId, from, to, at })
    await moveWaitingMails(ctx, orderId, to)
  }
}

/**
 * An order that may be moved, which is locked with its invoice until the end of the transaction; null otherwise. Account credit that
 * it has brought, or was refunded as, is its customer's: the order stays with it. A payment or refund of this moment is waited for.
 */
async function movableOrder(ctx: DbContext, orderId: string): Promise<Order | null> {
  await lock(ctx, orderId)
  const found = await order(ctx, orderId)
  if (!found || !isEmailCorrectable(found)) return null
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
