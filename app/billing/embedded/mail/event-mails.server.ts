import { BillingError } from "~/billing/billing"
import { money } from "~/domain/money/money"
import { payableStatuses } from "~/domain/orders/order-status"
import type { TimelineKind } from "~/domain/orders/timeline"
import {
  type EventMessage,
  type MessageName,
  messagesOfEvent,
  REFUND_TO_CREDIT,
  REMINDER_AFTER,
} from "~/domain/shop/mail"
import type { EventRow, OrderRow } from "../db/schema/order-rows"
import type { InvoiceRow } from "../db/schema/payment-rows"
import type { DbContext } from "../db/transaction.server"
import { enqueueMail, isSentBy } from "./enqueue-mail.server"

/** Enqueues the messages that new timeline events of an order cause, in the transaction that appends the events. */
export async function enqueueEventMails(ctx: DbContext, rows: readonly EventRow[]): Promise<void> {
  const sent = (message: EventMessage) => isSentBy(ctx.mail, message.name)
  const caused = rows.flatMap((row) =>
    messagesOf(row)
      .filter(sent)
      .map((message) => ({ row, message })),
  )
  const [first] = rows
  if (caused.length === 0 || first === undefined) return
  const { order, earlier } = await situationAt(ctx, first)
  // A line belongs to a reseller's customer, whose address the shop does not have.
  if (order.kind === "line") return
  for (const { row, message } of caused) {
    if (isDue(row, message, { order, earlier })) await enqueue(ctx, row, { message, order })
  }
}

function messagesOf({ kind }: EventRow): readonly EventMessage[] {
  return messagesOfEvent[kind] ?? []
}

type OrderOfEvent = Pick<OrderRow, "id" | "kind" | "client_id" | "locale" | "status"> &
  Pick<InvoiceRow, "received" | "credited">
type Situation = { readonly order: OrderOfEvent; readonly earlier: readonly TimelineKind[] }

/** The order of an event, and the kinds of the events before it. */
async function situationAt({ db }: DbContext, { order_id, position }: EventRow): Promise<Situation> {
  const rows = await db
    .selectFrom("orders")
    .innerJoin("invoices", "invoices.order_id", "orders.id")
    .leftJoin("order_events", (join) =>
      join.onRef("order_events.order_id", "=", "orders.id").on("order_events.position", "<", position),
    )
    .select(["orders.id", "orders.kind", "orders.client_id", "orders.locale", "orders.status"])
    .select(["invoices.received", "invoices.credited", "order_events.kind as earlier"])
    .where("orders.id", "=", order_id)
    .execute()
  const [order] = rows
  if (!order) throw new BillingError("unreadable", "Order of a timeline event not found")
  return { order, earlier: rows.flatMap(({ earlier }) => earlier ?? []) }
}

function isDue({ kind }: EventRow, { name, once }: EventMessage, { order, earlier }: Situation): boolean {
  // A line that is recreated is provisioned again, and its receipt may be older than the mail log.
  if (once === "order" && earlier.includes(kind)) return false
  if (name === "payment-received") return !earlier.includes("provisioned")
  if (name === "order-expired") return order.received > order.credited
  if (name === "order-unpaid") return payableStatuses.includes(order.status)
  return true
}

async function enqueue(
  ctx: DbContext,
  row: EventRow,
  { message, order }: { message: EventMessage; order: OrderOfEvent },
): Promise<void> {
  const name = nameFor(message.name, order)
  const { order_id: orderId, position, at, amount, currency } = row
  await enqueueMail(ctx, {
    name,
    onceKey:
      message.once === "order" ? `${message.name} ${orderId}` : `${message.name} ${orderId} ${position}`,
    at,
    due: name === "order-unpaid" ? at + REMINDER_AFTER : at,
    orderId,
    clientId: order.client_id,
    locale: order.locale,
    // A refund is a negative amount in the ledger.
    amount: amount === null || currency === null ? null : money(Math.abs(amount), currency),
    // Why the money became credit, or that a refund did.
    detail: name === "account-credit" || row.kind === REFUND_TO_CREDIT ? row.kind : null,
  })
}

function nameFor(name: MessageName, { kind }: OrderOfEvent): MessageName {
  return name === "receipt" && kind === "reseller" ? "new-reseller" : name
}
