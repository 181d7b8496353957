import type { BillingError } from "~/billing/billing"
import type { UpstreamError } from "~/http/upstream-error"

type Failure = ConstructorParameters<typeof BillingError>[2]

/**
 * What a failed call to an external billing system tells of it: whether it may still run, which does no harm if it only reads
 * (`writes`), and how long to wait.
 */
export function upstreamFailure(cause: UpstreamError, writes: boolean): Failure {
  return { cause, mayStillRun: writes && cause.mayStillRun, retryAfterSeconds: cause.retryAfterSeconds }
}
