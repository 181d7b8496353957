import { data } from "react-router"
import { statusOf } from "~/domain/error-kind"

/** The page that says that something was tried too often, and when it may be tried again: to be thrown. */
export function tooManyRequests(retryAfterSeconds: number) {
  return data({ kind: "too-many", retryAfterSeconds }, { status: statusOf["too-many"] })
}
