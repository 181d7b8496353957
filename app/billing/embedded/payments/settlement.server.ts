import type { PaymentUpdateResult } from "~/billing/payment-repository"
import { remaining } from "~/domain/attempt-balance"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { money } from "~/domain/money"
import { type PaymentUpdate, unsettledStatuses } from "~/domain/payment"
import { acceptsPayment, type OpenInvoice, type Settlement, settle } from "~/domain/settlement"
import { OPERATOR_REFERENCE } from "~/domain/timeline"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { OrderRow } from "../db/schema/order-rows"
import type { AccountCreditCause, AttemptRow, InvoiceRow } from "../db/schema/payment-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { fulfil } from "../orders/fulfilment.server"
import { applyTransition, latePaymentEvents, type Transition } from "../orders/order-transitions.server"
import { appendTimelineEvents, type NewTimelineEvent } from "../orders/timeline.server"
import { moveAccountCredit, usedAccountCredit } from "./customer-credit.server"
import { insertLedgerEntry } from "./ledger.server"

type AttemptUpdate = {
  readonly gateway: GatewayId
  readonly update: PaymentUpdate
  readonly at: Instant
  readonly tolerance: number
}

/** Settlement: applies a payment update in one transaction, see `PaymentRepository.recordPaymentUpdate`. */
export async function recordPaymentUpdate(
  ctx: DbContext,
  attemptUpdate: AttemptUpdate,
): Promise<PaymentUpdateResult> {
  return inTransaction(ctx, (tx) => book(tx, attemptUpdate))
}

async function book(ctx: DbContext, attemptUpdate: AttemptUpdate): Promise<PaymentUpdateResult> {
  const attempt = await findAttempt(ctx, attemptUpdate)
  if (!attempt) return { kind: "unknown-attempt" }
  const orderId = attempt.order_id
  const order = await orderOf(ctx, orderId)
  const invoice = await invoiceOf(ctx, orderId)

  const payable = acceptsPayment(order.status, order.deadline, attemptUpdate.at)
  const terms = { payable, tolerance: attemptUpdate.tolerance }
  const settlement = settle(await toOpenInvoice(ctx, invoice), known(attempt), attemptUpdate.update, terms)
  if (settlement === "refused") return { kind: "currency-mismatch", orderId }
  if (!(await noteEvent(ctx, attemptUpdate))) return { kind: "duplicate", orderId }

  await writeAttempt(ctx, attempt, settlement)
  if (attemptUpdate.update.ended) await noteEnd(ctx, attempt, attemptUpdate.at)
  const moved = settlement.orderEvent && (await applyTransition(ctx, orderId, settlement.orderEvent))
  await writeReceived(ctx, invoice, settlement)
  const fulfilled = moved?.to === "paid" ? await fulfil(ctx, orderId, attemptUpdate.at) : []
  await writeMoney(ctx, settlement, { attempt, invoice, attemptUpdate, cause: payable ? "surplus" : "late" })
  const events = timelineEventsOf(settlement, moved, attemptUpdate)
  await appendTimelineEvents(ctx, orderId, [...events, ...fulfilled])
  return { kind: "applied", orderId, event: settlement.event }
}

function findAttempt({ db }: DbContext, { gateway, update }: AttemptUpdate): Promise<AttemptRow | undefined> {
  return db
    .selectFrom("payment_attempts")
    .selectAll()
    .where("id", "=", update.attemptId)
    .where("gateway", "=", gateway)
    .executeTakeFirst()
}

function invoiceOf({ db }: DbContext, orderId: string): Promise<InvoiceRow> {
  return db.selectFrom("invoices").selectAll().where("order_id", "=", orderId).executeTakeFirstOrThrow()
}

function orderOf({ db }: DbContext, id: string): Promise<Pick<OrderRow, "status" | "deadline">> {
  return db.selectFrom("orders").select(["status", "deadline"]).where("id", "=", id).executeTakeFirstOrThrow()
}

async function toOpenInvoice(ctx: DbContext, invoice: InvoiceRow): Promise<OpenInvoice> {
  const { order_id, total, received, credited, currency, status } = invoice
  const used = await usedAccountCredit(ctx, invoice.id)
  return {
    total: money(total, currency),
    received: money(received, currency),
    credited: money(credited, currency),
    surplus: money(Math.max(0, credited + used), currency),
    paid: status === "paid",
    paidByOperator: status === "paid" && (await isPaidByOperator(ctx, order_id)),
  }
}

async function isPaidByOperator({ db }: DbContext, orderId: string): Promise<boolean> {
  const marked = await db
    .selectFrom("order_events")
    .select("position")
    .where("order_id", "=", orderId)
    .where("kind", "=", "paid")
    .where("amount", "is", null)
    .where("reference", "like", `${OPERATOR_REFERENCE}%`)
    .executeTakeFirst()
  return marked !== undefined
}

/**
 * An instance of an older version, which does not know the balance, updates `received` only: then that column counts.
 */
function known({ status, received, gross, refunded, refund_left: left, amount, currency }: AttemptRow) {
  const written = { gross, refunded, left }
  const max = Math.max(gross, received)
  const balance =
    remaining(written) === received ? written : { gross: max, refunded: max - received, left: null }
  return { status, balance, amount: money(amount, currency) }
}

/** Records the gateway event; false if its key was recorded before. */
async function noteEvent({ db }: DbContext, { gateway, update, at }: AttemptUpdate): Promise<boolean> {
  const noted = await db
    .insertInto("gateway_events")
    .values({
      gateway,
      event_key: update.eventKey,
      attempt_id: update.attemptId,
      status: update.status,
      amount: update.received.minor,
      currency: update.received.currency,
      transaction_id: update.transactionId,
      at,
    })
    .onConflict((conflict) => conflict.columns(["gateway", "event_key"]).doNothing())
    .returning("event_key")
    .executeTakeFirst()
  return noted !== undefined
}

async function writeAttempt({ db }: DbContext, read: AttemptRow, { attempt }: Settlement): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("payment_attempts")
    .set({
      status: attempt.status,
      received: remaining(attempt.balance),
      gross: attempt.balance.gross,
      refunded: attempt.balance.refunded,
      refund_left: attempt.balance.left,
      ...(!unsettledStatuses.includes(attempt.status) && { slot: null }),
    })
    .where("id", "=", read.id)
    .where("status", "=", read.status)
    .where("received", "=", read.received)
    .where("gross", "=", read.gross)
    .where("refunded", "=", read.refunded)
    .where("refund_left", read.refund_left === null ? "is" : "=", read.refund_left)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WriteConflictError(`Attempt ${read.id}`)
}

/** Records that the gateway accepts no more money for the attempt: the rest needs a new attempt. */
async function noteEnd({ db }: DbContext, { id, ends_at }: AttemptRow, at: Instant): Promise<void> {
  if (ends_at !== null && ends_at <= at) return
  await db.updateTable("payment_attempts").set({ ends_at: at, slot: null }).where("id", "=", id).execute()
}

async function writeReceived({ db }: DbContext, read: InvoiceRow, settlement: Settlement): Promise<void> {
  if (!settlement.movement) return
  const { numUpdatedRows } = await db
    .updateTable("invoices")
    .set({ received: settlement.invoiceReceived.minor })
    .where("id", "=", read.id)
    // The e-mail of the order may have been corrected meanwhile.
    .where("client_id", "=", read.client_id)
    .where("received", "=", read.received)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WriteConflictError(`Invoice ${read.id}`)
}

type Money = {
  readonly attempt: AttemptRow
  readonly invoice: InvoiceRow
  readonly attemptUpdate: AttemptUpdate
  readonly cause: AccountCreditCause
}

async function writeMoney(
  ctx: DbContext,
  { movement, surplus }: Settlement,
  { attempt, invoice, attemptUpdate, cause }: Money,
): Promise<void> {
  const { gateway, update, at } = attemptUpdate
  if (movement) {
    const { transactionId } = update
    await insertLedgerEntry(ctx, { amount: movement, gateway, transactionId }, { attempt, invoice, at })
  }
  if (surplus.minor !== 0) await moveAccountCredit(ctx, invoice, { minor: surplus.minor, cause, at })
}

/** Timeline events of a settlement. A payment that completes an invoice and exceeds it yields two events. */
function timelineEventsOf(
  settlement: Settlement,
  moved: Transition | null,
  { gateway, update, at }: AttemptUpdate,
): NewTimelineEvent[] {
  const { event, movement, surplus } = settlement
  const reference = update.transactionId ?? gateway
  return [
    ...(moved ? latePaymentEvents(moved, at) : []),
    ...(event && event !== "overpaid" ? [{ kind: event, at, amount: movement, reference }] : []),
    ...(surplus.minor > 0 && event !== "credited"
      ? [{ kind: "overpaid" as const, at, amount: surplus, reference }]
      : []),
  ]
}
