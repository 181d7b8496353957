import { expect, test } from "vitest"
import { DAY, HOUR, MINUTE, SECOND } from "../calendar"
import {
  FRESH,
  hasReloadedEnough,
  isPollDue,
  lookInterval,
  nextPollAt,
  reloadInterval,
} from "./poll-schedule"

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
  ["was opened a second before the last poll", null, 1 * SECOND, 5 * SECOND],
  ["was opened twelve seconds before the last poll", null, 12 * SECOND, 12 * SECOND],
  ["was opened an hour before the last poll", null, HOUR, MINUTE],
  ["has been returned from since the last poll", HOUR + 1, HOUR, FRESH],
  ["was returned from eight seconds before the last poll", HOUR, HOUR + 8 * SECOND, 8 * SECOND],
  ["was opened again after a return, twelve seconds before the last poll", -HOUR, 12 * SECOND, 12 * SECOND],
])("an open page polls at most this often while the payment %s", (_, returned, polled, interval) => {
  const openedAt = DAY
  const returnedAt = returned && openedAt + returned
  expect(lookInterval({ openedAt, returnedAt, polledAt: openedAt + polled })).toBe(interval)
})

test.each([
  ["just now", 0, 5],
  ["19 seconds ago", 19, 5],
  ["20 seconds ago", 20, 10],
  ["60 seconds ago", 60, 15],
  ["an hour ago", 3_600, 15],
  ["in the future, by a wrong clock", -60, 5],
])(
  "a page without script reloads more rarely the longer its buyer has waited: since %s",
  (_, waited, seconds) => {
    expect(reloadInterval(DAY, DAY + waited * SECOND)).toBe(seconds * SECOND)
  },
)

test("an open page that polls for two minutes asks the gateway four times, and once in the following minute", () => {
  const returnedAt = DAY
  // The page that follows the return asks.
  const asked = [returnedAt + 1]
  for (let at = returnedAt + 3 * SECOND, nth = 1; at <= returnedAt + 3 * MINUTE; nth++) {
    const polledAt = asked.at(-1) ?? 0
    if (isPollDue(polledAt, at - lookInterval({ openedAt: 0, returnedAt, polledAt }), at)) asked.push(at)
    at += Math.min(15 * SECOND, 3 * SECOND + 500 * nth)
  }
  const seconds = asked.slice(1).map((at) => (at - returnedAt) / SECOND)
  expect(seconds).toEqual([6.5, 15, 31.5, 69, 130.5])
})

test.each([
  ["59 minutes", 59 * MINUTE, false],
  ["an hour", HOUR, true],
])(
  "a page without script that has waited %s for news stops reloading by itself after an hour",
  (_, waited, stops) => {
    expect(hasReloadedEnough(DAY, DAY + waited)).toBe(stops)
  },
)
