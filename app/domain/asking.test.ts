import { expect, test } from "vitest"
import { nextAsking } from "./asking"
import { DAY, HOUR, MINUTE } from "./calendar"

test.each([
  ["a moment ago", 0, 2 * MINUTE],
  ["an hour ago", HOUR, 15 * MINUTE],
  ["half a day ago", 12 * HOUR, 3 * HOUR],
  ["a week ago", 7 * DAY, 6 * HOUR],
])("a payment opened %s is asked about again after a while that fits its age", (_, age, pause) => {
  expect(nextAsking(1_000, 1_000 + age) - (1_000 + age)).toBe(pause)
})
