import { DAY, HOUR, type Instant, MINUTE, SECOND } from "../calendar"
import { parseRetryAfter } from "../retry-after"

/** `gone`: the receiver has answered 410. `failing`: nothing was delivered for days. `operator`: the operator has paused it. */
export type PauseReason = "gone" | "failing" | "operator"

/** State of a delivery. `failed`: given up after the last try. `skipped`: the endpoint does not subscribe to its type any more. */
export const deliveryStates = ["waiting", "delivered", "failed", "skipped"] as const
export type WebhookDeliveryState = (typeof deliveryStates)[number]

/** Delays after a failed try: the schedule of Standard Webhooks. */
const schedule = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

/** Time without one success after which the operator is told. */
export const ALERTED_AFTER = 1 * HOUR
/** Time without one success after which an endpoint is paused. */
export const PAUSED_AFTER = 3 * DAY
/** Time for which a former secret signs too. */
export const SECRETS_OVERLAP = 24 * HOUR

/** A receiver that asks for more is called again then. */
const MAX_RETRY_AFTER = 24 * HOUR
/** A receiver that answers 429 without `Retry-After` gets nothing for so long. */
const USUAL_PAUSE = 1 * MINUTE
/** Jitter is added, at most this share of the delay: no try comes early. */
const JITTER = 0.2

export type FailedTry = {
  /** Failed tries, this one included. */
  readonly tries: number
  readonly status: number | null
  /** The `Retry-After` header, as sent. */
  readonly retryAfter: string | null
  readonly at: Instant
  /** From 0 to 1. */
  readonly random: number
}

/**
 * When a delivery is tried again after a failure; null: never. `holdUntil`: the endpoint gets nothing before, since it has
 * asked for that by status 429, or by `Retry-After` with 503; null: it has not.
 */
export function afterFailure({ tries, status, retryAfter, at, random }: FailedTry): {
  readonly due: Instant | null
  readonly holdUntil: Instant | null
} {
  const delay = schedule[tries - 1]
  const asked = status === 429 || status === 503 ? parseRetryAfter(retryAfter, at, MAX_RETRY_AFTER) : null
  const holdUntil = asked ?? (status === 429 ? at + USUAL_PAUSE : null)
  if (delay === undefined) return { due: null, holdUntil }
  const planned = at + delay + Math.floor(delay * JITTER * random)
  return { due: Math.max(planned, holdUntil ?? 0), holdUntil }
}
