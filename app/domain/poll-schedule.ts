import { HOUR, type Instant, MINUTE } from "./calendar"

const MIN = 2 * MINUTE
const MAX = 6 * HOUR

/** The latest JavaScript date: never poll again. */
export const FAR_FUTURE: Instant = 8_640_000_000_000_000

/**
 * Next scheduled poll of an open payment. The interval grows with the payment's age: a lost callback costs minutes at
 * first, and an abandoned payment is polled ever more rarely.
 */
export function nextPollAt(openedAt: Instant, now: Instant): Instant {
  return now + Math.min(MAX, Math.max(MIN, Math.floor((now - openedAt) / 4)))
}

/**
 * Whether an attempt last polled at `polledAt` is due, if polls before `polledBefore` are stale. A poll in the future was
 * recorded by a wrong clock and counts as stale.
 */
export function isPollDue(polledAt: Instant, polledBefore: Instant, now: Instant): boolean {
  return polledAt < polledBefore || polledAt > now + MINUTE
}
