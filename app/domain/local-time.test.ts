import { expect, test } from "vitest"
import { localInstant } from "./local-time"

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
