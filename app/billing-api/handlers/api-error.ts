import type { ErrorCode } from "~/billing-api/contract/error-codes"

/** Error response of the API. `message` is for the developer of the calling program. */
export class ApiError extends Error {
  override name = "ApiError"

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
