import type { BillingError } from "~/billing/billing"
import { HOUR, SECOND } from "~/domain/calendar"
import type { UpstreamError } from "~/http/upstream-error"

/** A system that asks for a longer wait is called again then. */
const MAX_WAIT = 1 * HOUR

type Failure = ConstructorParameters<typeof BillingError>[2]

/**
 * What a failed call to an external billing system tells of it: whether it may still run, which does no harm if it only reads
 * (`writes`), and how long to wait.
 */
export function upstreamFailure(cause: UpstreamError, writes: boolean): Failure {
  const { retryAfterMs } = cause
  const mayStillRun = writes && cause.mayStillRun
  const retryAfterSeconds = retryAfterMs && Math.ceil(Math.min(retryAfterMs, MAX_WAIT) / SECOND)
  return { cause, mayStillRun, retryAfterSeconds }
}
