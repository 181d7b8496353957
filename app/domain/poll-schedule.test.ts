import { expect, test } from "vitest"
import { DAY, HOUR, MINUTE } from "./calendar"
import { isPollDue, nextPollAt } from "./poll-schedule"

test.each([
  ["a moment ago", 0, 2 * MINUTE],
  ["an hour ago", HOUR, 15 * MINUTE],
  ["half a day ago", 12 * HOUR, 3 * HOUR],
  ["a week ago", 7 * DAY, 6 * HOUR],
])("the poll interval of a payment opened %s grows with its age", (_, age, pause) => {
  expect(nextPollAt(1_000, 1_000 + age) - (1_000 + age)).toBe(pause)
})

test.each([
  ["longer ago than the interval", -1, true],
  ["a moment ago", 0, false],
  ["slightly in the future (clock skew)", MINUTE, false],
  ["far in the future (a wrong clock, corrected since)", MINUTE + 1, true],
])("whether a poll is due, with the last poll %s", (_, polls, isDue) => {
  const now = 10 * HOUR
  expect(isPollDue(now + polls, now, now)).toBe(isDue)
})
