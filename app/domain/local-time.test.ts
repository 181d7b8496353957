import { expect, test } from "vitest"
import { endOfDay, localInstant, startOfDay } from "./local-time"

test.each([
  ["2026-11-20T18:00", "2026-11-20T17:00:00.000Z"],
  ["2026-11-20 18:00", "2026-11-20T17:00:00.000Z"],
  ["2026-11-20", "2026-11-19T23:00:00.000Z"],
  ["2026-07-20T18:00", "2026-07-20T16:00:00.000Z"],
  ["2026-11-20T18:00Z", "2026-11-20T18:00:00.000Z"],
  ["2026-11-20T18:00+05:30", "2026-11-20T12:30:00.000Z"],
])("%s in Madrid is %s", (text, at) => {
  expect(new Date(localInstant(text, "Europe/Madrid") ?? 0).toISOString()).toBe(at)
})

test.each(["", "yesterday", "2026-02-30", "2026-11-20T25:00", "20.11.2026", "2026-11-20T18:00+99:00"])(
  "%j is no time",
  (text) => {
    expect(localInstant(text, "Europe/Madrid")).toBeNull()
  },
)

test.each([
  ["2026-11-20", "2026-11-19T23:00:00.000Z", "2026-11-20T23:00:00.000Z"],
  ["2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
  ["2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
  ["2026-12-31", "2026-12-30T23:00:00.000Z", "2026-12-31T23:00:00.000Z"],
])("%s in Madrid is from %s until %s", (day, from, until) => {
  const found = [startOfDay(day, "Europe/Madrid"), endOfDay(day, "Europe/Madrid")]
  expect(found.map((at) => new Date(at ?? 0).toISOString())).toEqual([from, until])
})

test.each(["", "yesterday", "2026-02-31", "20.11.2026", "2026-11-20T18:00"])("%j is no day", (text) => {
  expect([startOfDay(text, "Europe/Madrid"), endOfDay(text, "Europe/Madrid")]).toEqual([undefined, undefined])
})
