import type { Till } from "~/billing/till"
import { type Books, told } from "./books.server"
import * as attempts from "./money/attempts.server"
import { attemptsToAsk } from "./money/attempts-to-ask.server"
import { attemptClosed, changeGateway, redeemReturn } from "./money/changes-of-mind.server"
import { usableCredit } from "./money/customer-credit.server"
import { noteRefusal } from "./money/gateway-record.server"
import { creditLeftOver } from "./money/left-over.server"
import { record } from "./money/settlement.server"

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
    redeemReturn: (id, at) => told(redeemReturn(books, id, at)),
    record: (gateway, news, at, tolerance = 0) => told(record(books, { gateway, news, at, tolerance })),
    creditLeftOver: (now, most) => told(creditLeftOver(books, now, most)),
    noteRefusal: (gateway, reason, day) => told(noteRefusal(books, { gateway, reason, day })),
    credit: (customerId, currency) => told(usableCredit(books, customerId, currency)),
  }
}
