import type { Till } from "~/billing/payment-repository"
import { type Books, told } from "../db/transaction.server"
import { attemptsToAsk } from "./attempts-to-poll.server"
import { usableCredit } from "./customer-credit.server"
import { attemptClosed, changeGateway, redeemReturn, returnOf } from "./gateway-change.server"
import { noteRefusal } from "./gateway-stats.server"
import * as attempts from "./payment-attempts.server"
import { record } from "./settlement.server"
import { creditLeftOver } from "./unapplied-payments.server"
import { recordUnapplied } from "./unapplied-reports.server"

/** The books as the payments see them. */
export function tillOf(books: Books): Till {
  return {
    attempt: (wish) => told(attempts.attempt(books, wish)),
    attemptOpened: (id, payment, at) => told(attempts.attemptOpened(books, id, { ...payment, at })),
    latestAttempt: (orderId) => told(attempts.latestAttempt(books, orderId)),
    openAttempts: (orderId) => told(attempts.openAttempts(books, orderId)),
    attemptsToAsk: (gateway, now, most) => told(attemptsToAsk(books, { gateway, now, most })),
    claimAsking: (id, askedBefore, now) => told(attempts.claimAsking(books, id, { askedBefore, now })),
    changeGateway: (orderId, gateway, at) => told(changeGateway(books, orderId, { gateway, at })),
    attemptClosed: (id) => told(attemptClosed(books, id)),
    returnOf: (id) => told(returnOf(books, id)),
    redeemReturn: (id, at) => told(redeemReturn(books, id, at)),
    record: (gateway, news, at, tolerance = 0) => told(record(books, { gateway, news, at, tolerance })),
    creditLeftOver: (now, most) => told(creditLeftOver(books, now, most)),
    recordUnapplied: (report, at) => told(recordUnapplied(books, report, at)),
    noteRefusal: (gateway, reason, day) => told(noteRefusal(books, { gateway, reason, day })),
    credit: (customerId, currency, scope = "account") =>
      told(usableCredit(books, { customerId, currency, scope })),
  }
}
