import fc from "fast-check"
import { expect, test } from "vitest"
import { byTheMinute, DAY, dayIn, daysAfter, HOUR, MINUTE, SECOND } from "./calendar"

const zones = [
  "UTC",
  "Europe/Madrid",
  "Europe/London",
  "America/New_York",
  "Asia/Kolkata",
  "Pacific/Kiritimati",
]

test.each([
  ["Europe/Madrid", "2026-11-20T22:59:59.999Z", "2026-11-20"],
  ["Europe/Madrid", "2026-11-20T23:00:00Z", "2026-11-21"],
  ["America/New_York", "2026-11-21T04:59:59Z", "2026-11-20"],
  ["America/New_York", "2026-11-21T05:00:00Z", "2026-11-21"],
  ["Pacific/Kiritimati", "2026-12-31T10:00:00Z", "2027-01-01"],
  ["UTC", "2028-02-29T12:00:00Z", "2028-02-29"],
])("returns the local date in %s at %s: %s", (zone, instant, day) => {
  expect(dayIn(zone, Date.parse(instant))).toBe(day)
})

test.each([
  ["the night the clocks go forward", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z", "2026-03-29"],
  ["the night the clocks go back", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", "2026-10-25"],
])("on %s a day in Madrid begins and ends at local midnight", (_, begins, ends, day) => {
  expect(dayIn("Europe/Madrid", Date.parse(begins) - 1)).not.toBe(day)
  expect(dayIn("Europe/Madrid", Date.parse(begins))).toBe(day)
  expect(dayIn("Europe/Madrid", Date.parse(ends))).toBe(day)
  expect(dayIn("Europe/Madrid", Date.parse(ends) + SECOND)).not.toBe(day)
})

test("local dates are ISO dates and never decrease with time, in any time zone", () => {
  const instant = fc.integer({ min: Date.parse("2000-01-01"), max: Date.parse("2099-12-31") })
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      instant,
      fc.integer({ min: 0, max: 400 * DAY }),
      (zone, first, later) => {
        expect(dayIn(zone, first)).toMatch(/^\d{4}-\d\d-\d\d$/)
        expect(dayIn(zone, first + later) >= dayIn(zone, first)).toBe(true)
      },
    ),
  )
})

test("duration constants are in milliseconds", () => {
  expect([SECOND, MINUTE, HOUR, DAY]).toEqual([1_000, 60_000, 3_600_000, 86_400_000])
})

test("minutes left are constant within a minute", () => {
  fc.assert(
    fc.property(fc.integer({ min: -DAY, max: DAY }), (left) => {
      const until = 50 * DAY
      const counted = until - byTheMinute(until - left, until)
      expect(Math.abs(counted % MINUTE)).toBe(0)
      expect(counted - left).toBeGreaterThanOrEqual(0)
      expect(counted - left).toBeLessThan(MINUTE)
    }),
  )
})

test.each([
  ["2026-02-28", 1, "2026-03-01"],
  ["2026-11-20", -29, "2026-10-22"],
  ["2026-12-31", 1, "2027-01-01"],
] as const)("%s and %i days is %s", (day, days, then) => {
  expect(daysAfter(day, days)).toBe(then)
})
