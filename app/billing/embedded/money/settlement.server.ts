import type { Recorded } from "~/billing/till"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import { money } from "~/domain/money"
import { type PaymentNews, undecided } from "~/domain/payment"
import { type Settlement, settle } from "~/domain/settlement"
import { atOnce, type Books } from "../books.server"
import { Overtaken } from "../engines/failure.server"
import { fulfil } from "../orders/fulfilment.server"
import { carryOut, lateness, type Move } from "../orders/order-moves.server"
import { type Telling, tell } from "../orders/timeline.server"
import type { AttemptRow, InvoiceRow } from "../schema/money-rows"
import { type Movement, writeMovements } from "./ledger.server"

type Word = { readonly gateway: GatewayId; readonly news: PaymentNews; readonly at: Instant }

/** Books news of a payment in one transaction: see `Till.record`. */
export async function record(books: Books, word: Word): Promise<Recorded> {
  return atOnce(books, (inside) => book(inside, word))
}

async function book(books: Books, word: Word): Promise<Recorded> {
  const attempt = await attemptMeant(books, word)
  if (!attempt) return { kind: "unknown" }
  const invoice = await invoiceOf(books, attempt.order_id)
  const orderId = attempt.order_id

  const settlement = settle(reckoned(invoice), known(attempt), word.news)
  if (settlement === "refused") return { kind: "mismatch", orderId }
  if (!(await noteEvent(books, word))) return { kind: "repeat", orderId }

  await writeAttempt(books, attempt, settlement)
  const moved = settlement.orderEvent && (await carryOut(books, orderId, settlement.orderEvent))
  await writeReceived(books, invoice, settlement)
  if (moved?.to === "paid") await fulfil(books, orderId, word.at)
  await writeMovements(books, movements(settlement, word), { attempt, invoice, at: word.at })
  await tell(books, orderId, tellings(settlement, moved, word))
  return { kind: "booked", orderId, told: settlement.told }
}

function attemptMeant({ db }: Books, { gateway, news }: Word): Promise<AttemptRow | undefined> {
  return db
    .selectFrom("payment_attempts")
    .selectAll()
    .where("id", "=", news.attemptId)
    .where("gateway", "=", gateway)
    .executeTakeFirst()
}

function invoiceOf({ db }: Books, orderId: string): Promise<InvoiceRow> {
  return db.selectFrom("invoices").selectAll().where("order_id", "=", orderId).executeTakeFirstOrThrow()
}

function reckoned({ total, received, currency }: InvoiceRow) {
  return { total: money(total, currency), received: money(received, currency) }
}

function known({ status, received, amount, currency }: AttemptRow) {
  return { status, received: money(received, currency), amount: money(amount, currency) }
}

/** False when the event has been noted before. */
async function noteEvent({ db }: Books, { gateway, news, at }: Word): Promise<boolean> {
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

async function writeAttempt({ db }: Books, read: AttemptRow, { attempt }: Settlement): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("payment_attempts")
    .set({
      status: attempt.status,
      received: attempt.received.minor,
      ...(!undecided.includes(attempt.status) && { slot: null }),
    })
    .where("id", "=", read.id)
    .where("status", "=", read.status)
    .where("received", "=", read.received)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Overtaken(`Attempt ${read.id}`)
}

async function writeReceived({ db }: Books, read: InvoiceRow, settlement: Settlement): Promise<void> {
  if (!settlement.movement) return
  const { numUpdatedRows } = await db
    .updateTable("invoices")
    .set({ received: settlement.invoiceReceived.minor })
    .where("id", "=", read.id)
    .where("received", "=", read.received)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Overtaken(`Invoice ${read.id}`)
}

function movements({ movement, surplus }: Settlement, { gateway, news }: Word): Movement[] {
  const { transactionId } = news
  return [
    ...(movement ? [{ account: "invoice" as const, amount: movement, gateway, transactionId }] : []),
    ...(surplus.minor > 0 ? [{ account: "credit" as const, amount: surplus, gateway, transactionId }] : []),
  ]
}

/** A payment that both completes an invoice and goes beyond it is told as two things. */
function tellings(settlement: Settlement, moved: Move | null, { gateway, news, at }: Word): Telling[] {
  const { told, movement, surplus } = settlement
  const reference = news.transactionId ?? gateway
  return [
    ...(moved ? lateness(moved, at) : []),
    ...(told && told !== "overpaid" ? [{ kind: told, at, amount: movement, reference }] : []),
    ...(surplus.minor > 0 ? [{ kind: "overpaid" as const, at, amount: surplus, reference }] : []),
  ]
}
