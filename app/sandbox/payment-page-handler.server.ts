import type { DatabaseSync } from "node:sqlite"
import type { Instant } from "~/domain/calendar"
import { money, share as shareOf } from "~/domain/money/money"
import type { CallbackMessage, CallbackQueue } from "./callback-queue.server"
import { inTransaction } from "./database.server"
import { html, unavailableResponse } from "./html-response.server"
import { bodyOf, type Exchange, type SandboxResponse, seeOther } from "./http.server"
import { pageLocale } from "./locale.server"
import { isOffered, isOutcome, isPossible, type Outcome, type OutcomeName, outcomes } from "./outcomes"
import { type SandboxPayment, statusAt } from "./payment"
import { payPage, type UnavailableReason } from "./payment-page.server"
import type { Payments } from "./payments.server"
import { isRefund, possibleRefunds, type RefundName, refundedAfter } from "./refund"

export type PaymentPageContext = {
  protocol: string
  database: DatabaseSync
  payments: Payments
  reports: CallbackQueue
  /** Builds the callback about a payment in the format of its protocol; null if the protocol has none for its status. */
  callbackMessage: (payment: SandboxPayment, now: Instant) => CallbackMessage | null
  /** Starts a delivery run after a callback was enqueued. */
  wakeCallbackSender: () => void
  now: () => Instant
}

/** `GET /pay/{id}`: the hosted payment page. */
export async function showPayPage(
  pageContext: PaymentPageContext,
  exchange: Exchange,
): Promise<SandboxResponse> {
  const payment = pageContext.payments.find(pageContext.protocol, exchange.params.id ?? "")
  return payment ? page(pageContext, exchange, { payment, mistaken: false }) : unknown(pageContext, exchange)
}

/**
 * `POST /pay/{id}`: applies the chosen outcome or refund. A decided payment is not changed; its page shows the status.
 */
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

/** Simulates a refund by the merchant: records it, enqueues the callback and redirects (303) to the page. */
function refunded(
  pageContext: PaymentPageContext,
  { request }: Exchange,
  { payment, outcome }: Refund,
): SandboxResponse {
  const now = pageContext.now()
  const all = refundedAfter(payment, outcome)
  inTransaction(pageContext.database, () => {
    const done =
      possibleRefunds(payment).includes(outcome) &&
      pageContext.payments.refund(payment.id, all, payment.refunded)
    if (done) enqueue(pageContext, { payment: done, reports: 1, now })
  })
  pageContext.wakeCallbackSender()
  return seeOther(request.url ?? "/")
}

/** Applies an outcome and enqueues its callbacks in one transaction. False: the payment was no longer open. */
function simulateOutcome(
  pageContext: PaymentPageContext,
  payment: SandboxPayment,
  outcome: OutcomeName,
): boolean {
  const now = pageContext.now()
  if (!isPossible(outcome, payment, now)) return false
  const chosen: Outcome = outcomes[outcome]
  const isDone = inTransaction(pageContext.database, () => {
    const current = chosen.expires ? expired(pageContext, payment, now) : payment
    return current !== null && decided(pageContext, { payment: current, outcome: chosen, now })
  })
  if (isDone) pageContext.wakeCallbackSender()
  return isDone
}

/** Lets an open payment expire and enqueues the callback about it. Null: it was decided in the meantime. */
function expired(pageContext: PaymentPageContext, payment: SandboxPayment, now: Instant) {
  if (statusAt(payment, now) === "expired") return payment
  const ended = pageContext.payments.expire(payment.id, now)
  if (ended) enqueue(pageContext, { payment: ended, reports: 1, now })
  return ended
}

type Decision = { payment: SandboxPayment; outcome: Outcome; now: Instant }

/** Stores the status of an outcome and enqueues its callbacks. False: the payment was decided in the meantime. */
function decided(pageContext: PaymentPageContext, { payment, outcome, now }: Decision): boolean {
  const { status, reports, share = 100 } = outcome
  if (status === null) return true
  const { payments } = pageContext
  const { amount } = payment.details
  const due = money(amount.minor - payment.received.minor, amount.currency)
  const paid = payment.received.minor + shareOf(due, share * 100).minor
  const received = money(status === "failed" ? 0 : paid, amount.currency)
  const done =
    payment.status === "partial"
      ? payments.topUp(payment.id, status, { before: payment.received, received })
      : payments.decide(payment.id, { from: payment.status, status, received })
  if (!done) return false
  enqueue(pageContext, { payment: done, reports, now })
  return true
}

type Reports = { payment: SandboxPayment; reports: number; now: Instant }

function enqueue(pageContext: PaymentPageContext, { payment, reports, now }: Reports): void {
  const message = pageContext.callbackMessage(payment, now)
  if (!message) return
  for (let reported = 0; reported < reports; reported++) pageContext.reports.add(message, now)
}

type View = { payment: SandboxPayment; mistaken: boolean }

async function page(
  pageContext: PaymentPageContext,
  { request }: Exchange,
  { payment, mistaken }: View,
): Promise<SandboxResponse> {
  const locale = await pageLocale(request, payment.details)
  const body = payPage({ payment, locale, now: pageContext.now(), mistaken })
  const leadsTo = [payment.details.returnUrl, payment.details.cancelUrl]
  return html(mistaken ? 400 : 200, body, { leadsTo })
}

function unknown(pageContext: PaymentPageContext, exchange: Exchange): Promise<SandboxResponse> {
  return nothingToPay(pageContext, exchange, { status: 404, reason: "unknown" })
}

/** Builds the HTML error page of the protocol's provider. */
export function nothingToPay(
  { protocol }: PaymentPageContext,
  { request }: Exchange,
  { status, reason }: { status: number; reason: UnavailableReason },
): Promise<SandboxResponse> {
  return unavailableResponse(request, { status, reason, protocol })
}
