import type { DatabaseSync } from "node:sqlite"
import type { Instant } from "~/domain/calendar"
import { money, share as shareOf } from "~/domain/money"
import type { CallbackMessage, CallbackQueue } from "./callback-queue.server"
import { inTransaction } from "./database.server"
import { html, unavailableResponse } from "./html-response.server"
import { bodyOf, type Exchange, type SandboxResponse, seeOther } from "./http.server"
import { languageFor, languageOf } from "./language.server"
import { isOffered, isOutcome, isPossible, type Outcome, type OutcomeName, outcomes } from "./outcomes"
import { dueAt, type SandboxPayment } from "./payment"
import { payPage, type UnavailableReason } from "./payment-page.server"
import type { Payments } from "./payments.server"
import { isRefund, isRefundable, type RefundName, refundedAfter } from "./refund"

export type PaymentPageContext = {
  protocol: string
  database: DatabaseSync
  payments: Payments
  reports: CallbackQueue
  /** What the shop is told of a payment, in the words of its protocol. */
  callbackMessage: (payment: SandboxPayment, now: Instant) => CallbackMessage
  /** There is something to tell. */
  wakeCallbackSender: () => void
  now: () => Instant
}

/** `GET /pay/{id}`: the hosted pay page. */
export async function showPayPage(
  pageContext: PaymentPageContext,
  exchange: Exchange,
): Promise<SandboxResponse> {
  const payment = pageContext.payments.find(pageContext.protocol, exchange.params.id ?? "")
  return payment ? page(pageContext, exchange, { payment, mistaken: false }) : unknown(pageContext, exchange)
}

/** `POST /pay/{id}`: what the buyer chose. A payment that is decided stays as it is and says so. */
export async function choose(pageContext: PaymentPageContext, exchange: Exchange): Promise<SandboxResponse> {
  const payment = pageContext.payments.find(pageContext.protocol, exchange.params.id ?? "")
  if (!payment) return unknown(pageContext, exchange)
  const form = await bodyOf(exchange.request)
  const outcome = new URLSearchParams(form?.toString("utf8")).get("outcome")
  if (isRefund(outcome)) return refunded(pageContext, exchange, { payment, outcome })
  if (!isOutcome(outcome) || !isOffered(outcome, pageContext.protocol))
    return page(pageContext, exchange, { payment, mistaken: true })
  const done = simulateOutcome(pageContext, payment, outcome)
  return seeOther(done ? payment.details[outcomes[outcome].leadsTo] : (exchange.request.url ?? "/"))
}

type Refund = { payment: SandboxPayment; outcome: RefundName }

/** The shop's operator gives money back there; the shop is told, and the page shows what is left. */
function refunded(
  pageContext: PaymentPageContext,
  { request }: Exchange,
  { payment, outcome }: Refund,
): SandboxResponse {
  const now = pageContext.now()
  const all = refundedAfter(payment, outcome)
  inTransaction(pageContext.database, () => {
    const done = isRefundable(payment) && pageContext.payments.refund(payment.id, all, payment.refunded)
    if (done) pageContext.reports.add(pageContext.callbackMessage(done, now), now)
  })
  pageContext.wakeCallbackSender()
  return seeOther(request.url ?? "/")
}

/** Decides the payment and notes what is to be told in one transaction. False: it was not open any more. */
function simulateOutcome(
  pageContext: PaymentPageContext,
  payment: SandboxPayment,
  outcome: OutcomeName,
): boolean {
  const { status, reports, share = 100 }: Outcome = outcomes[outcome]
  const now = pageContext.now()
  const due = dueAt(payment, now)
  if (due === 0 || !isPossible(outcome, payment)) return false
  if (status === null) return true
  const { currency } = payment.details.amount
  const isPaying = status === "paid" || status === "partial"
  const paid = isPaying ? shareOf(money(due, currency), share * 100).minor : 0
  const received = money(payment.received.minor + paid, currency)
  const isDecided = inTransaction(pageContext.database, () => {
    const decided =
      payment.status === "pending"
        ? pageContext.payments.decide(payment.id, status, received)
        : pageContext.payments.topUp(payment.id, status, { before: payment.received, received })
    if (!decided) return false
    const report = pageContext.callbackMessage(decided, now)
    for (let reported = 0; reported < reports; reported++) pageContext.reports.add(report, now)
    return true
  })
  if (isDecided) pageContext.wakeCallbackSender()
  return isDecided
}

type View = { payment: SandboxPayment; mistaken: boolean }

async function page(
  pageContext: PaymentPageContext,
  { request }: Exchange,
  { payment, mistaken }: View,
): Promise<SandboxResponse> {
  const locale = languageFor(request, languageOf(payment.details))
  const body = payPage({ payment, locale, now: pageContext.now(), mistaken })
  return html(mistaken ? 400 : 200, body, [payment.details.returnUrl, payment.details.cancelUrl])
}

function unknown(pageContext: PaymentPageContext, exchange: Exchange): SandboxResponse {
  return nothingToPay(pageContext, exchange, { status: 404, reason: "unknown" })
}

/** Says in words that nothing can be paid here. */
export function nothingToPay(
  { protocol }: PaymentPageContext,
  { request }: Exchange,
  { status, reason }: { status: number; reason: UnavailableReason },
): SandboxResponse {
  return unavailableResponse(request, { status, reason, protocol })
}
