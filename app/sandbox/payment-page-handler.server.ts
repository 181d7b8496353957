import type { DatabaseSync } from "node:sqlite"
import type { Instant } from "~/domain/calendar"
import { money, share as shareOf } from "~/domain/money"
import type { CallbackMessage, CallbackQueue } from "./callback-queue.server"
import { inTransaction } from "./database.server"
import { html, sorryAnswer } from "./html-response.server"
import { bodyOf, type Exchange, type SandboxResponse, seeOther } from "./http.server"
import { languageFor, languageOf } from "./language.server"
import { isOffered, isOutcome, isPossible, type Outcome, type OutcomeName, outcomes } from "./outcomes"
import { dueAt, type SandboxPayment } from "./payment"
import { payPage, type UnavailableReason } from "./payment-page.server"
import type { Payments } from "./payments.server"
import { isRefund, isRefundable, type RefundName, refundedAfter } from "./refund"

export type PaymentPageContext = {
  protocol: string
  books: DatabaseSync
  payments: Payments
  reports: CallbackQueue
  /** What the shop is told of a payment, in the words of its protocol. */
  reportOf: (payment: SandboxPayment, now: Instant) => CallbackMessage
  /** There is something to tell. */
  wakeDeliverer: () => void
  now: () => Instant
}

/** `GET /pay/{id}`: the hosted pay page. */
export async function showPayPage(desk: PaymentPageContext, exchange: Exchange): Promise<SandboxResponse> {
  const payment = desk.payments.find(desk.protocol, exchange.params.id ?? "")
  return payment ? page(desk, exchange, { payment, mistaken: false }) : unknown(desk, exchange)
}

/** `POST /pay/{id}`: what the buyer chose. A payment that is decided stays as it is and says so. */
export async function choose(desk: PaymentPageContext, exchange: Exchange): Promise<SandboxResponse> {
  const payment = desk.payments.find(desk.protocol, exchange.params.id ?? "")
  if (!payment) return unknown(desk, exchange)
  const form = await bodyOf(exchange.request)
  const outcome = new URLSearchParams(form?.toString("utf8")).get("outcome")
  if (isRefund(outcome)) return refunded(desk, exchange, { payment, outcome })
  if (!isOutcome(outcome) || !isOffered(outcome, desk.protocol))
    return page(desk, exchange, { payment, mistaken: true })
  const done = simulateOutcome(desk, payment, outcome)
  return seeOther(done ? payment.facts[outcomes[outcome].leadsTo] : (exchange.request.url ?? "/"))
}

type Refund = { payment: SandboxPayment; outcome: RefundName }

/** The shop's operator gives money back there; the shop is told, and the page shows what is left. */
function refunded(
  desk: PaymentPageContext,
  { request }: Exchange,
  { payment, outcome }: Refund,
): SandboxResponse {
  const now = desk.now()
  const all = refundedAfter(payment, outcome)
  inTransaction(desk.books, () => {
    const done = isRefundable(payment) && desk.payments.refund(payment.id, all, payment.refunded)
    if (done) desk.reports.add(desk.reportOf(done, now), now)
  })
  desk.wakeDeliverer()
  return seeOther(request.url ?? "/")
}

/** Decides the payment and notes what is to be told in one transaction. False: it was not open any more. */
function simulateOutcome(desk: PaymentPageContext, payment: SandboxPayment, outcome: OutcomeName): boolean {
  const { status, reports, share = 100 }: Outcome = outcomes[outcome]
  const now = desk.now()
  const due = dueAt(payment, now)
  if (due === 0 || !isPossible(outcome, payment)) return false
  if (status === null) return true
  const { currency } = payment.facts.amount
  const isPaying = status === "paid" || status === "partial"
  const paid = isPaying ? shareOf(money(due, currency), share * 100).minor : 0
  const received = money(payment.received.minor + paid, currency)
  const isDecided = inTransaction(desk.books, () => {
    const decided =
      payment.status === "pending"
        ? desk.payments.decide(payment.id, status, received)
        : desk.payments.topUp(payment.id, status, { before: payment.received, received })
    if (!decided) return false
    const report = desk.reportOf(decided, now)
    for (let told = 0; told < reports; told++) desk.reports.add(report, now)
    return true
  })
  if (isDecided) desk.wakeDeliverer()
  return isDecided
}

type View = { payment: SandboxPayment; mistaken: boolean }

async function page(
  desk: PaymentPageContext,
  { request }: Exchange,
  { payment, mistaken }: View,
): Promise<SandboxResponse> {
  const locale = languageFor(request, languageOf(payment.facts))
  const body = payPage({ payment, locale, now: desk.now(), mistaken })
  return html(mistaken ? 400 : 200, body, [payment.facts.returnUrl, payment.facts.cancelUrl])
}

function unknown(desk: PaymentPageContext, exchange: Exchange): SandboxResponse {
  return nothingToPay(desk, exchange, { status: 404, sorry: "unknown" })
}

/** Says in words that nothing can be paid here. */
export function nothingToPay(
  { protocol }: PaymentPageContext,
  { request }: Exchange,
  { status, sorry }: { status: number; sorry: UnavailableReason },
): SandboxResponse {
  return sorryAnswer(request, { status, sorry, protocol })
}
