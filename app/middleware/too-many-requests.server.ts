import { data } from "react-router"
import { statusOf } from "~/domain/error-kind"

/** The 429 page with the time to wait. Throw it. */
export function tooManyRequests(retryAfterSeconds: number) {
  return data({ kind: "too-many", retryAfterSeconds }, { status: statusOf["too-many"] })
}
