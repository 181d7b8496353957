import { expect, test } from "vitest"
import { DAY, HOUR, MINUTE, SECOND } from "./calendar"
import { FRESH, isPollDue, lookInterval, nextPollAt, reloadInterval } from "./poll-schedule"

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

test.each([
  ["was opened just now", null, 0, FRESH],
  ["was opened five seconds before the last poll", null, 5 * SECOND, 5 * SECOND],
  ["was opened an hour before the last poll", null, HOUR, 30 * SECOND],
  ["has been returned from since the last poll", HOUR + 1, HOUR, FRESH],
  ["was returned from eight seconds before the last poll", HOUR, HOUR + 8 * SECOND, 8 * SECOND],
])("an open page polls at most this often while the payment %s", (_, returned, polled, interval) => {
  const openedAt = DAY
  const returnedAt = returned && openedAt + returned
  expect(lookInterval({ openedAt, returnedAt, polledAt: openedAt + polled })).toBe(interval)
})

test.each([
  ["just now", 0, 5],
  ["39 seconds ago", 39, 5],
  ["40 seconds ago", 40, 8],
  ["80 seconds ago", 80, 15],
  ["an hour ago", 3_600, 15],
  ["in the future, by a wrong clock", -60, 5],
])(
  "a page without script reloads more rarely the longer its buyer has waited: since %s",
  (_, waited, seconds) => {
    expect(reloadInterval(DAY, DAY + waited * SECOND)).toBe(seconds * SECOND)
  },
)
