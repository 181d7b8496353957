import type { PaymentUpdateResult } from "~/billing/payment-repository"
import { remaining } from "~/domain/attempt-balance"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { money } from "~/domain/money"
import { type PaymentUpdate, unsettledStatuses } from "~/domain/payment"
import { acceptsPayment, type OpenInvoice, type Settlement, settle } from "~/domain/settlement"
import { WriteConflictError } from "../db/engines/database-errors.server"
import type { OrderRow } from "../db/schema/order-rows"
import type { AttemptRow, CreditCause, InvoiceRow } from "../db/schema/payment-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { fulfil } from "../orders/fulfilment.server"
import { applyTransition, latePaymentEvents, type Transition } from "../orders/order-transitions.server"
import { appendTimelineEvents, type NewTimelineEvent } from "../orders/timeline.server"
import { creditUsed, moveCredit } from "./customer-credit.server"
import { insertLedgerEntry } from "./ledger.server"

type Word = {
  readonly gateway: GatewayId
  readonly news: PaymentUpdate
  readonly at: Instant
  readonly tolerance: number
}

/** Books news of a payment in one transaction: see `Till.record`. */
export async function recordPaymentUpdate(books: DbContext, word: Word): Promise<PaymentUpdateResult> {
  return inTransaction(books, (inside) => book(inside, word))
}

async function book(books: DbContext, word: Word): Promise<PaymentUpdateResult> {
  const attempt = await attemptMeant(books, word)
  if (!attempt) return { kind: "unknown-attempt" }
  const orderId = attempt.order_id
  const order = await orderOf(books, orderId)
  const invoice = await invoiceOf(books, orderId)

  const payable = acceptsPayment(order.status, order.deadline, word.at)
  const terms = { payable, tolerance: word.tolerance }
  const settlement = settle(await reckoned(books, invoice), known(attempt), word.news, terms)
  if (settlement === "refused") return { kind: "currency-mismatch", orderId }
  if (!(await noteEvent(books, word))) return { kind: "duplicate", orderId }

  await writeAttempt(books, attempt, settlement)
  if (word.news.ended) await noteEnd(books, attempt, word.at)
  const moved = settlement.orderEvent && (await applyTransition(books, orderId, settlement.orderEvent))
  await writeReceived(books, invoice, settlement)
  if (moved?.to === "paid") await fulfil(books, orderId, word.at)
  await writeMoney(books, settlement, { attempt, invoice, word, cause: payable ? "surplus" : "late" })
  await appendTimelineEvents(books, orderId, tellings(settlement, moved, word))
  return { kind: "applied", orderId, told: settlement.told }
}

function attemptMeant({ db }: DbContext, { gateway, news }: Word): Promise<AttemptRow | undefined> {
  return db
    .selectFrom("payment_attempts")
    .selectAll()
    .where("id", "=", news.attemptId)
    .where("gateway", "=", gateway)
    .executeTakeFirst()
}

function invoiceOf({ db }: DbContext, orderId: string): Promise<InvoiceRow> {
  return db.selectFrom("invoices").selectAll().where("order_id", "=", orderId).executeTakeFirstOrThrow()
}

function orderOf({ db }: DbContext, id: string): Promise<Pick<OrderRow, "status" | "deadline">> {
  return db.selectFrom("orders").select(["status", "deadline"]).where("id", "=", id).executeTakeFirstOrThrow()
}

async function reckoned(books: DbContext, invoice: InvoiceRow): Promise<OpenInvoice> {
  const { total, received, credited, currency, status } = invoice
  const used = await creditUsed(books, invoice.id)
  return {
    total: money(total, currency),
    received: money(received, currency),
    credited: money(credited, currency),
    surplus: money(Math.max(0, credited + used), currency),
    paid: status === "paid",
  }
}

/** An instance of a version that does not know the balance writes `received` alone: that is what counts. */
function known({ status, received, gross, refunded, refund_left: left, amount, currency }: AttemptRow) {
  const written = { gross, refunded, left }
  const most = Math.max(gross, received)
  const balance =
    remaining(written) === received ? written : { gross: most, refunded: most - received, left: null }
  return { status, balance, amount: money(amount, currency) }
}

/** False when the event has been noted before. */
async function noteEvent({ db }: DbContext, { gateway, news, at }: Word): Promise<boolean> {
  const noted = await db
    .insertInto("gateway_events")
    .values({
      ...{ gateway, event_key: news.eventKey, attempt_id: news.attemptId, status: news.status },
      ...{ amount: news.received.minor, currency: news.received.currency },
      ...{ transaction_id: news.transactionId, at },
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

/** No more money is taken there: whoever has the rest to pay is led elsewhere. */
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
    .where("received", "=", read.received)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WriteConflictError(`Invoice ${read.id}`)
}

type Money = {
  readonly attempt: AttemptRow
  readonly invoice: InvoiceRow
  readonly word: Word
  readonly cause: CreditCause
}

async function writeMoney(
  books: DbContext,
  { movement, surplus }: Settlement,
  { attempt, invoice, word, cause }: Money,
): Promise<void> {
  const { gateway, news, at } = word
  if (movement) {
    const { transactionId } = news
    await insertLedgerEntry(books, { amount: movement, gateway, transactionId }, { attempt, invoice, at })
  }
  if (surplus.minor !== 0) await moveCredit(books, invoice, { minor: surplus.minor, cause, at })
}

/** A payment that both completes an invoice and goes beyond it is told as two things. */
function tellings(
  settlement: Settlement,
  moved: Transition | null,
  { gateway, news, at }: Word,
): NewTimelineEvent[] {
  const { told, movement, surplus } = settlement
  const reference = news.transactionId ?? gateway
  return [
    ...(moved ? latePaymentEvents(moved, at) : []),
    ...(told && told !== "overpaid" ? [{ kind: told, at, amount: movement, reference }] : []),
    ...(surplus.minor > 0 && told !== "credited"
      ? [{ kind: "overpaid" as const, at, amount: surplus, reference }]
      : []),
  ]
}
