import { BillingError } from "~/billing/billing"
import { HOUR, SECOND } from "~/domain/calendar"

/** A server that asks for a longer wait is called again then. */
const MAX_WAIT = 1 * HOUR

export type RetryAfterHold = {
  /** Holds all calls for so many milliseconds, at most an hour; a hold that ends later stays. */
  readonly hold: (waitMs: number) => void
  /** Throws `BillingError` "unavailable" with the seconds that are left while calls are held. `path` is for the message. */
  readonly throwIfHeld: (path: string) => void
}

/** No call is sent to a server before the time that it has asked for. `steadyNow`: milliseconds of a clock that is never set. */
export function retryAfterHold(steadyNow: () => number): RetryAfterHold {
  let until = Number.NEGATIVE_INFINITY
  return {
    hold(waitMs) {
      until = Math.max(until, steadyNow() + Math.min(waitMs, MAX_WAIT))
    },
    throwIfHeld(path) {
      const left = until - steadyNow()
      if (left <= 0) return
      const retryAfterSeconds = toSeconds(left)
      const message = `${path} not sent: the billing server asks to wait ${retryAfterSeconds} more seconds`
      throw new BillingError("unavailable", message, { retryAfterSeconds })
    },
  }
}

/** `Retry-After` of an error, in milliseconds, in the seconds that callers wait; null: none. */
export function toRetryAfterSeconds(waitMs: number | null): number | null {
  return waitMs && toSeconds(Math.min(waitMs, MAX_WAIT))
}

const toSeconds = (ms: number) => Math.ceil(ms / SECOND)
