import { z } from "zod"

/** Error codes of the API and their HTTP status. The codes are stable: clients may rely on them. */
export const errorCodes = {
  "bad-request": 400,
  "invalid-api-key": 401,
  "token-required": 401,
  "invalid-credentials": 401,
  forbidden: 403,
  "forbidden-origin": 403,
  "unknown-endpoint": 404,
  "not-found": 404,
  "method-not-allowed": 405,
  "price-changed": 409,
  "idempotency-key-conflict": 409,
  conflict: 409,
  "events-reset": 409,
  "not-available": 422,
  "customer-rejected": 422,
  "promo-code-used": 422,
  "promo-code-refused": 422,
  refused: 422,
  "rate-limited": 429,
  unexpected: 500,
  "bad-upstream-response": 502,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorCodes

/** The code for a failed upstream call. `kind`: the kind of a `BillingError` or `GatewayError`. */
export function toErrorCode(kind: "refused" | "unavailable" | "unreadable"): ErrorCode {
  return kind === "unreadable" ? "bad-upstream-response" : kind
}

/** The body of every error response. */
export const ErrorResponse = z.object({
  result: z.literal("error"),
  error: z.object({ code: z.string(), message: z.string() }),
})
