import type { FailureCode } from "~/billing-api/contract/error-codes"

/** A call that is not carried out, and why; `message` is for whoever writes the calling program. */
export class ApiRefusal extends Error {
  override name = "ApiRefusal"

  constructor(
    readonly code: FailureCode,
    message: string,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message)
  }
}

export function notFound(what: string): ApiRefusal {
  return new ApiRefusal("not-found", `${what} not found`)
}
