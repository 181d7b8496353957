import { HOUR, type Instant, MINUTE, SECOND } from "../calendar"

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

/** Minimum interval between polls of an attempt, whatever the number of open pages and submitted forms. */
export const FRESH = 2 * SECOND

/** How soon after its first poll an open page polls again. */
const SECOND_LOOK = 5 * SECOND

/** A lost callback costs a buyer who waits at most this time. One who says that the payment has been made waits `FRESH`. */
const LONGEST_WAIT = 1 * MINUTE

/** A waiting page without script reloads at least this often: a callback may have arrived. */
const SLOWEST_RELOAD = 15 * SECOND

/** How often a waiting page without script reloads, by how long its buyer has waited. */
const RELOADS: readonly { readonly until: number; readonly every: number }[] = [
  { until: 20 * SECOND, every: 5 * SECOND },
  { until: 60 * SECOND, every: 10 * SECOND },
]

/**
 * Milliseconds until a page without script reloads, for a buyer who has waited since `since`: about as often as one with script
 * polls. In few steps, since a page is rendered anew for each.
 */
export function reloadInterval(since: Instant, now: Instant): number {
  return RELOADS.find(({ until }) => now - since < until)?.every ?? SLOWEST_RELOAD
}

/** How long a page without script reloads while the shop is at work, after the last news. */
const RELOADS_FOR = 1 * HOUR

/** Whether a page without script that waits for the shop since `since` stops reloading by itself: news is hardly near. */
export function hasReloadedEnough(since: Instant, now: Instant): boolean {
  return now - since >= RELOADS_FOR
}

type Polled = {
  readonly openedAt: Instant
  /** When the buyer came back from the gateway; null: not yet. */
  readonly returnedAt: Instant | null
  readonly polledAt: Instant
}

/**
 * How old the last poll must be for an open page to poll again. The gateway reports news by callback, so a page polls when
 * the buyer has come back, and then at intervals that double up to `LONGEST_WAIT`, in case the callback was lost.
 */
export function lookInterval({ openedAt, returnedAt, polledAt }: Polled): number {
  const since = Math.max(openedAt, returnedAt ?? openedAt)
  const looked = polledAt - since
  // Polled before the buyer came back: what follows the return is the news that is waited for.
  if (looked <= 0) return FRESH
  return Math.min(LONGEST_WAIT, Math.max(SECOND_LOOK, looked))
}
