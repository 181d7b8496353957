import fc from "fast-check"
import { expect, test } from "vitest"
import { HOUR, SECOND } from "~/domain/calendar"
import { parseDay, wallClock } from "./wall-clock"

const madrid = wallClock("Europe/Madrid")

test("instantOf converts a local time of the configured time zone to an instant", () => {
  expect(madrid.instantOf("2026-06-15 14:00:00")).toBe(Date.UTC(2026, 5, 15, 12))
  expect(madrid.instantOf("2026-01-15 13:00:00")).toBe(Date.UTC(2026, 0, 15, 12))
  expect(wallClock("Asia/Kolkata").instantOf("2026-06-15 17:30:00")).toBe(Date.UTC(2026, 5, 15, 12))
  expect(wallClock("UTC").instantOf("2026-06-15")).toBe(Date.UTC(2026, 5, 15))
})

test("instantOf converts the times before and after the change to daylight saving time", () => {
  expect(madrid.instantOf("2026-03-29 03:30:00")).toBe(Date.UTC(2026, 2, 29, 1, 30))
  expect(madrid.instantOf("2026-03-29 01:30:00")).toBe(Date.UTC(2026, 2, 29, 0, 30))
})

test.each(["0000-00-00", "0000-00-00 00:00:00", "", "yesterday", "2026-13-40"])(
  "instantOf and parseDay return null for %j",
  (text) => {
    expect(madrid.instantOf(text)).toBeNull()
    expect(parseDay(text)).toBeNull()
  },
)

test("stampOf formats an instant in the configured time zone", () => {
  expect(madrid.stampOf(Date.UTC(2026, 10, 20, 23, 30, 5))).toBe("2026-11-21 00:30:05")
})

test("instantOf reverses stampOf, except in the repeated hour at the end of daylight saving time", () => {
  const zones = fc.constantFrom("UTC", "Europe/Madrid", "America/New_York", "Australia/Lord_Howe")
  const instants = fc.integer({ min: Date.UTC(2020, 0, 1) / SECOND, max: Date.UTC(2035, 0, 1) / SECOND })
  fc.assert(
    fc.property(zones, instants, (zone, seconds) => {
      const clock = wallClock(zone)
      const instant = seconds * SECOND
      const read = clock.instantOf(clock.stampOf(instant)) ?? Number.NaN
      expect(clock.stampOf(read)).toBe(clock.stampOf(instant))
      expect(Math.abs(read - instant)).toBeLessThanOrEqual(HOUR)
    }),
  )
})

test("parseDay accepts a day with or without a time", () => {
  expect([parseDay("2026-06-15"), parseDay("2026-06-15 00:00:00")]).toEqual(["2026-06-15", "2026-06-15"])
})
