import { type Instant, SECOND } from "./calendar"

/**
 * When a server that sent `Retry-After` may be called again: seconds from `at`, or a date (RFC 9110, 10.2.3), at most `maxMs` after
 * `at`. Null if the header is absent, invalid or past.
 */
export function parseRetryAfter(header: string | null, at: Instant, maxMs: number): Instant | null {
  const text = header?.trim() ?? ""
  const until = /^\d{1,9}$/.test(text) ? at + Number(text) * SECOND : Date.parse(text)
  return Number.isNaN(until) || until <= at ? null : Math.min(until, at + maxMs)
}
