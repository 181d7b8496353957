import type { PaymentRepository } from "~/billing/payments/payment-repository"
import { type DbContext, guarded } from "../db/transaction.server"
import { usableAccountCredit } from "../ledger/customer-credit.server"
import { attemptsDueForPolling } from "./attempts-to-poll.server"
import { keepCoinReferences } from "./coin-references.server"
import { changeGateway, markAttemptClosed, redeemReturnToken, returnOf } from "./gateway-change.server"
import {
  claimPoll,
  findOrCreateAttempt,
  latestAttempt,
  markAttemptOpened,
  openAttempts,
  paymentState,
} from "./payment-attempts.server"
import { deleteRejectedCallbacks, recordRejectedCallback } from "./rejected-callbacks.server"
import { recordPaymentUpdate } from "./settlement.server"
import { creditUnappliedPayments } from "./unapplied-payments.server"
import { recordUnapplied } from "./unapplied-reports.server"

/** The payment repository on the embedded database. */
export function paymentRepository(ctx: DbContext): PaymentRepository {
  return guarded<PaymentRepository>(ctx, {
    findOrCreateAttempt,
    markAttemptOpened: (db, id, payment, at) => markAttemptOpened(db, id, { ...payment, at }),
    paymentState,
    latestAttempt,
    openAttempts,
    attemptsDueForPolling: (db, gateway, now, limit) => attemptsDueForPolling(db, { gateway, now, limit }),
    claimPoll: (db, attempt, polledBefore, now) => claimPoll(db, attempt, { polledBefore, now }),
    changeGateway: (db, orderId, gateway, at) => changeGateway(db, orderId, { gateway, at }),
    markAttemptClosed,
    returnOf,
    redeemReturnToken,
    recordPaymentUpdate: (db, gateway, update, at, tolerance = 0) =>
      recordPaymentUpdate(db, { gateway, update, at, tolerance }),
    creditUnappliedPayments,
    keepCoinReferences: (db, attemptId, references, at) =>
      keepCoinReferences(db, attemptId, { references, at }),
    recordUnapplied,
    recordRejectedCallback: (db, gateway, reason, day, sent) =>
      recordRejectedCallback(db, { gateway, reason, day }, sent),
    deleteRejectedCallbacks,
    accountCredit: (db, customerId, currency, scope = "account") =>
      usableAccountCredit(db, { customerId, currency, scope }),
  })
}
