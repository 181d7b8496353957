import type { PaymentRepository } from "~/billing/payment-repository"
import { type DbContext, withBillingErrors } from "../db/transaction.server"
import { attemptsDueForPolling } from "./attempts-to-poll.server"
import { usableCredit } from "./customer-credit.server"
import { changeGateway, markAttemptClosed, redeemReturnToken, returnOf } from "./gateway-change.server"
import { recordRejectedCallback } from "./gateway-stats.server"
import * as attempts from "./payment-attempts.server"
import { recordPaymentUpdate } from "./settlement.server"
import { creditUnappliedPayments } from "./unapplied-payments.server"
import { recordUnapplied } from "./unapplied-reports.server"

/** The books as the payments see them. */
export function paymentRepository(books: DbContext): PaymentRepository {
  return {
    findOrCreateAttempt: (wish) => withBillingErrors(attempts.findOrCreateAttempt(books, wish)),
    markAttemptOpened: (id, payment, at) =>
      withBillingErrors(attempts.markAttemptOpened(books, id, { ...payment, at })),
    latestAttempt: (orderId) => withBillingErrors(attempts.latestAttempt(books, orderId)),
    openAttempts: (orderId) => withBillingErrors(attempts.openAttempts(books, orderId)),
    attemptsDueForPolling: (gateway, now, most) =>
      withBillingErrors(attemptsDueForPolling(books, { gateway, now, most })),
    claimPoll: (id, askedBefore, now) =>
      withBillingErrors(attempts.claimPoll(books, id, { askedBefore, now })),
    changeGateway: (orderId, gateway, at) =>
      withBillingErrors(changeGateway(books, orderId, { gateway, at })),
    markAttemptClosed: (id) => withBillingErrors(markAttemptClosed(books, id)),
    returnOf: (id) => withBillingErrors(returnOf(books, id)),
    redeemReturnToken: (id, at) => withBillingErrors(redeemReturnToken(books, id, at)),
    recordPaymentUpdate: (gateway, news, at, tolerance = 0) =>
      withBillingErrors(recordPaymentUpdate(books, { gateway, news, at, tolerance })),
    creditUnappliedPayments: (now, most) => withBillingErrors(creditUnappliedPayments(books, now, most)),
    recordUnapplied: (report, at) => withBillingErrors(recordUnapplied(books, report, at)),
    recordRejectedCallback: (gateway, reason, day) =>
      withBillingErrors(recordRejectedCallback(books, { gateway, reason, day })),
    credit: (customerId, currency, scope = "account") =>
      withBillingErrors(usableCredit(books, { customerId, currency, scope })),
  }
}
