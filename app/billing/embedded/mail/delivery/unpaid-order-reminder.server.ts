import type { Instant } from "~/domain/calendar"
import { REMINDER_PAUSE } from "~/domain/shop/mail"
import { lockCustomer } from "../../customers/lock-customer.server"
import type { MailRow } from "../../db/schema/mail-rows"
import type { DbContext } from "../../db/transaction.server"
import { laterOrder, orderOfMail } from "./later-order.server"

/**
 * Why a reminder of an unpaid order is not sent: the order was paid, cancelled, paid in part or withdrawn from, the same
 * person has bought or ordered something since, or has had a reminder. Null if it is sent, and for other messages. Locks the customer, so
 * that of two reminders to one person the second sees the first.
 */
export async function reasonAgainstUnpaidReminder(
  ctx: DbContext,
  { id, name, order_id, client_id }: MailRow,
  at: Instant,
): Promise<string | null> {
  if (name !== "order-unpaid" || order_id === null || client_id === null) return null
  await lockCustomer(ctx, client_id)
  const order = await orderOfMail(ctx, order_id)
  if (order.status !== "placed" && order.status !== "awaiting-payment") return `the order is ${order.status}`
  if (order.deadline <= at) return "the payment deadline has passed"
  if (await isWithdrawnFrom(ctx, order_id)) return "the buyer has withdrawn from the order"
  const later = await laterOrder(ctx, { ...order, client_id })
  if (later) return `the same person has ordered since: ${later}`
  const last = await reminderSince(ctx, { id, client_id, since: at - REMINDER_PAUSE })
  return last && `the address has had a reminder for order ${last}`
}

async function isWithdrawnFrom({ db }: DbContext, orderId: string): Promise<boolean> {
  const event = await db
    .selectFrom("order_events")
    .select("position")
    .where("order_id", "=", orderId)
    .where("kind", "=", "withdrawn")
    .executeTakeFirst()
  return event !== undefined
}

/** The order of a reminder that the customer has (perhaps) received since. */
async function reminderSince(
  { db }: DbContext,
  { id, client_id, since }: { id: string; client_id: string; since: Instant },
): Promise<string | null> {
  const found = await db
    .selectFrom("mails")
    .select("order_id")
    .where("client_id", "=", client_id)
    .where("name", "=", "order-unpaid")
    .where("id", "!=", id)
    .where("state", "in", ["sending", "sent", "unknown"])
    .where((row) => row.or([row("settled_at", "is", null), row("settled_at", ">", since)]))
    .limit(1)
    .executeTakeFirst()
  return found?.order_id ?? null
}
