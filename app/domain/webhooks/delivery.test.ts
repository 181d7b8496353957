import { expect, test } from "vitest"
import { DAY, HOUR, MINUTE, SECOND } from "../calendar"
import { afterFailure } from "./delivery"

const at = Date.UTC(2026, 10, 20, 12)
const failure = { tries: 1, status: 500, retryAfter: null, at, random: 0 }

test("a delivery is tried again by the schedule of Standard Webhooks, and given up after ten tries", () => {
  const delays = Array.from({ length: 10 }, (_, tries) => {
    const { due } = afterFailure({ ...failure, tries: tries + 1 })
    return due === null ? null : due - at
  })
  expect(delays).toEqual([
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
    null,
  ])
})

test("jitter is only added, at most a fifth of the delay", () => {
  expect(afterFailure({ ...failure, tries: 2, random: 0.999 }).due).toBeGreaterThan(at + 5 * MINUTE)
  expect(afterFailure({ ...failure, tries: 2, random: 0.999 }).due).toBeLessThanOrEqual(at + 6 * MINUTE)
})

test.each([
  [429, "120", 2 * MINUTE],
  [503, "120", 2 * MINUTE],
  [429, new Date(at + HOUR).toUTCString(), HOUR],
  [429, null, MINUTE],
  [429, "soon", MINUTE],
  [429, "999999999", DAY],
])("status %s with Retry-After %s holds the endpoint", (status, retryAfter, hold) => {
  const { due, holdUntil } = afterFailure({ ...failure, status, retryAfter })
  expect(holdUntil).toBe(at + hold)
  expect(due).toBe(at + hold)
})

test.each([
  [500, "120"],
  [503, null],
  [503, "0"],
  [null, null],
])("status %s with Retry-After %s holds nothing", (status, retryAfter) => {
  expect(afterFailure({ ...failure, status, retryAfter }).holdUntil).toBeNull()
})

test("a Retry-After that is shorter than the schedule does not make a try early", () => {
  const { due } = afterFailure({ ...failure, tries: 3, status: 429, retryAfter: "1" })
  expect(due).toBe(at + 30 * MINUTE)
})

test("an event that is given up still holds the endpoint if its receiver asks for that", () => {
  expect(afterFailure({ ...failure, tries: 10, status: 429, retryAfter: "120" })).toEqual({
    due: null,
    holdUntil: at + 2 * MINUTE,
  })
})
