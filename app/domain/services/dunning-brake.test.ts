import { describe, expect, test } from "vitest"
import { DAY, HOUR, MINUTE } from "../calendar"
import { allowedAtOnce, clockMoved, outageIn } from "./dunning-brake"

const NOON = Date.UTC(2027, 5, 15, 12)

test.each([
  [0, 20],
  [1_000, 20],
  [1_049, 20],
  [1_050, 21],
  [100_000, 2_000],
])("of %i active services a pass may end %i", (active, allowed) => {
  expect(allowedAtOnce(active)).toBe(allowed)
})

describe("the clock", () => {
  const before = { wall: NOON, steady: 5_000 }
  const later = (wall: number, steady: number) => ({ wall: NOON + wall, steady: 5_000 + steady })

  test("may run for as long as it likes", () => {
    expect(clockMoved(before, later(2 * DAY, 2 * DAY))).toBe(0)
  })

  test("may be corrected by an hour", () => {
    expect(clockMoved(before, later(HOUR + MINUTE, MINUTE))).toBe(0)
    expect(clockMoved(before, later(MINUTE - HOUR, MINUTE))).toBe(0)
  })

  test.each([30 * DAY, HOUR + 1, -HOUR - 1, -50 * 365 * DAY])("has moved by %i ms", (moved) => {
    expect(clockMoved(before, later(MINUTE + moved, MINUTE))).toBe(moved)
  })
})

describe("an outage", () => {
  const outage = (since: number, until: number) => ({
    part: "mail" as const,
    since: NOON + since,
    until: NOON + until,
  })
  const grace = { from: NOON, until: NOON + 3 * DAY }

  test.each([
    ["in the grace", outage(DAY, DAY + 2 * HOUR)],
    ["from before the grace into it", outage(-DAY, HOUR)],
    ["that is not over", outage(2 * DAY, 4 * DAY)],
  ])("%s counts", (_, it) => {
    expect(outageIn([it], grace)).toEqual(it)
  })

  test.each([
    ["before the grace", outage(-DAY, -1)],
    ["after it", outage(3 * DAY, 4 * DAY)],
    ["of an hour", outage(DAY, DAY + HOUR)],
  ])("%s does not count", (_, it) => {
    expect(outageIn([it], grace)).toBeNull()
  })
})
