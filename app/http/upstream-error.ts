import { HOUR, SECOND } from "~/domain/calendar"
import { mayHaveArrived } from "./connection-problem"

export type UpstreamFailure = "unavailable" | "refused" | "unreadable"

type UpstreamErrorOptions = ErrorOptions & {
  status?: number
  body?: string | null
  retryAfterMs?: number | null
}

/**
 * Failed upstream call. `unavailable`: timeout, 5xx, 408, 425 or 429; may be retried. `refused`: any other 4xx, see `status`.
 * `unreadable`: the response could not be parsed. The message contains host and path only.
 */
export class UpstreamError extends Error {
  override name = "UpstreamError"
  /** HTTP status, if there was a response. */
  readonly status: number | null
  /** Body of an error response, if the caller reads it; may contain personal data. */
  readonly body: string | null

  /** How long an error response asks to be left alone (`Retry-After`), in milliseconds, at most a day; null: it does not. */
  readonly retryAfterMs: number | null

  /** The call may still complete at the upstream: our timeout, a proxy's, or a broken connection ended the wait. */
  readonly mayStillRun: boolean

  constructor(
    readonly kind: UpstreamFailure,
    message: string,
    { status, body, retryAfterMs, ...options }: UpstreamErrorOptions = {},
  ) {
    super(message, options)
    this.status = status ?? null
    this.body = body ?? null
    this.retryAfterMs = retryAfterMs ?? null
    this.mayStillRun = status === undefined ? mayHaveArrived(options.cause) : proxyTimeouts.includes(status)
  }

  /** As `retryAfterMs`, in whole seconds: an upstream that asks for more than an hour is called again after one. */
  get retryAfterSeconds(): number | null {
    return this.retryAfterMs && Math.ceil(Math.min(this.retryAfterMs, HOUR) / SECOND)
  }
}

/** Statuses of proxies whose upstream timed out, or closed the connection; 520 and 524 are Cloudflare's. */
const proxyTimeouts: readonly number[] = [504, 520, 524]
