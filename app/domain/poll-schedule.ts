import { HOUR, type Instant, MINUTE } from "./calendar"

const LEAST = 2 * MINUTE
const MOST = 6 * HOUR

/** As late as a day can be: nobody is asked any more. */
export const FAR_FUTURE: Instant = 8_640_000_000_000_000

/**
 * When a gateway is asked again, of its own accord, about a payment that is still open: a lost callback costs minutes
 * while the payment is young, and one that nobody makes is asked about more and more rarely.
 */
export function nextPollAt(openedAt: Instant, now: Instant): Instant {
  return now + Math.min(MOST, Math.max(LEAST, Math.floor((now - openedAt) / 4)))
}

/**
 * Whether a gateway that was asked last at `askedAt` is to be asked, when only what was asked before `askedBefore` is
 * out of date. Nobody has asked tomorrow: that was a clock that has been set right since.
 */
export function isPollDue(polledAt: Instant, askedBefore: Instant, now: Instant): boolean {
  return polledAt < askedBefore || polledAt > now + MINUTE
}
