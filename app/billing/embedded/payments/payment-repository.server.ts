import type { PaymentRepository } from "~/billing/payment-repository"
import { type DbContext, withBillingErrors } from "../db/transaction.server"
import { attemptsDueForPolling } from "./attempts-to-poll.server"
import { usableAccountCredit } from "./customer-credit.server"
import { changeGateway, markAttemptClosed, redeemReturnToken, returnOf } from "./gateway-change.server"
import { recordRejectedCallback } from "./gateway-stats.server"
import * as attempts from "./payment-attempts.server"
import { recordPaymentUpdate } from "./settlement.server"
import { creditUnappliedPayments } from "./unapplied-payments.server"
import { recordUnapplied } from "./unapplied-reports.server"

/** The payment repository on the embedded database. */
export function paymentRepository(ctx: DbContext): PaymentRepository {
  return {
    findOrCreateAttempt: (request) => withBillingErrors(attempts.findOrCreateAttempt(ctx, request)),
    markAttemptOpened: (id, payment, at) =>
      withBillingErrors(attempts.markAttemptOpened(ctx, id, { ...payment, at })),
    latestAttempt: (orderId) => withBillingErrors(attempts.latestAttempt(ctx, orderId)),
    openAttempts: (orderId) => withBillingErrors(attempts.openAttempts(ctx, orderId)),
    attemptsDueForPolling: (gateway, now, limit) =>
      withBillingErrors(attemptsDueForPolling(ctx, { gateway, now, limit })),
    claimPoll: (id, polledBefore, now) =>
      withBillingErrors(attempts.claimPoll(ctx, id, { polledBefore, now })),
    changeGateway: (orderId, gateway, at) => withBillingErrors(changeGateway(ctx, orderId, { gateway, at })),
    markAttemptClosed: (id) => withBillingErrors(markAttemptClosed(ctx, id)),
    returnOf: (id) => withBillingErrors(returnOf(ctx, id)),
    redeemReturnToken: (id, at) => withBillingErrors(redeemReturnToken(ctx, id, at)),
    recordPaymentUpdate: (gateway, update, at, tolerance = 0) =>
      withBillingErrors(recordPaymentUpdate(ctx, { gateway, update, at, tolerance })),
    creditUnappliedPayments: (now, limit) => withBillingErrors(creditUnappliedPayments(ctx, now, limit)),
    recordUnapplied: (report, at) => withBillingErrors(recordUnapplied(ctx, report, at)),
    recordRejectedCallback: (gateway, reason, day) =>
      withBillingErrors(recordRejectedCallback(ctx, { gateway, reason, day })),
    accountCredit: (customerId, currency, scope = "account") =>
      withBillingErrors(usableAccountCredit(ctx, { customerId, currency, scope })),
  }
}
