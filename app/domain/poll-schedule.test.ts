import { expect, test } from "vitest"
import { DAY, HOUR, MINUTE } from "./calendar"
import { isPollDue, nextPollAt } from "./poll-schedule"

test.each([
  ["a moment ago", 0, 2 * MINUTE],
  ["an hour ago", HOUR, 15 * MINUTE],
  ["half a day ago", 12 * HOUR, 3 * HOUR],
  ["a week ago", 7 * DAY, 6 * HOUR],
])("a payment opened %s is asked about again after a while that fits its age", (_, age, pause) => {
  expect(nextPollAt(1_000, 1_000 + age) - (1_000 + age)).toBe(pause)
})

test.each([
  ["so long ago that his answer is old", -1, true],
  ["a moment ago", 0, false],
  ["by a clock that was a little ahead", MINUTE, false],
  ["tomorrow, by a clock that has been set right since", MINUTE + 1, true],
])("a gateway that was asked %s", (_, asked, turn) => {
  const now = 10 * HOUR
  expect(isPollDue(now + asked, now, now)).toBe(turn)
})
