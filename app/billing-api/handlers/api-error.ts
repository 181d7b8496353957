import type { ErrorCode } from "~/billing-api/contract/error-codes"

/** A call that is not carried out, and why; `message` is for whoever writes the calling program. */
export class ApiError extends Error {
  override name = "ApiRefusal"

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message)
  }
}

export function notFound(what: string): ApiError {
  return new ApiError("not-found", `${what} not found`)
}
