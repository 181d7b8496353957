import type { Till } from "~/billing/till"
import { type Books, told } from "./books.server"
import { attempt, attemptOpened, attemptsToAsk, claimAsking, latestAttempt } from "./money/attempts.server"
import { record } from "./money/settlement.server"

/** The books as the payments see them. */
export function tillOf(books: Books): Till {
  return {
    attempt: (wish) => told(attempt(books, wish)),
    attemptOpened: (id, payment, at) => told(attemptOpened(books, id, { ...payment, at })),
    latestAttempt: (orderId) => told(latestAttempt(books, orderId)),
    attemptsToAsk: (askedBefore, most) => told(attemptsToAsk(books, askedBefore, most)),
    claimAsking: (id, askedBefore, now) => told(claimAsking(books, id, { askedBefore, now })),
    record: (gateway, news, at) => told(record(books, { gateway, news, at })),
  }
}
