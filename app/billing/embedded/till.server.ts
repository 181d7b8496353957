import type { Till } from "~/billing/till"
import { type Books, told } from "./books.server"
import * as attempts from "./money/attempts.server"
import { attemptClosed, changeGateway, redeemReturn } from "./money/changes-of-mind.server"
import { record } from "./money/settlement.server"

/** The books as the payments see them. */
export function tillOf(books: Books): Till {
  return {
    attempt: (wish) => told(attempts.attempt(books, wish)),
    attemptOpened: (id, payment, at) => told(attempts.attemptOpened(books, id, { ...payment, at })),
    latestAttempt: (orderId) => told(attempts.latestAttempt(books, orderId)),
    openAttempts: (orderId) => told(attempts.openAttempts(books, orderId)),
    attemptsToAsk: (askedBefore, most) => told(attempts.attemptsToAsk(books, askedBefore, most)),
    claimAsking: (id, askedBefore, now) => told(attempts.claimAsking(books, id, { askedBefore, now })),
    changeGateway: (orderId, gateway, at) => told(changeGateway(books, orderId, { gateway, at })),
    attemptClosed: (id) => told(attemptClosed(books, id)),
    redeemReturn: (id, at) => told(redeemReturn(books, id, at)),
    record: (gateway, news, at) => told(record(books, { gateway, news, at })),
  }
}
