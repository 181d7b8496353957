import { z } from "zod"

/** Why a call has come to nothing, and the status it is answered with. Callers may rely on the codes. */
export const failures = {
  "bad-request": 400,
  "unknown-key": 401,
  unproven: 401,
  "wrong-credentials": 401,
  "another-customer": 403,
  "foreign-origin": 403,
  "no-such-call": 404,
  "not-found": 404,
  "wrong-method": 405,
  "price-changed": 409,
  "key-taken": 409,
  "not-now": 409,
  "not-for-sale": 422,
  refused: 422,
  "too-many": 429,
  unexpected: 500,
  unreadable: 502,
  unavailable: 503,
} as const

export type FailureCode = keyof typeof failures

/** What every call that has come to nothing is answered with. */
export const Failure = z.object({
  result: z.literal("error"),
  error: z.object({ code: z.string(), message: z.string() }),
})
