import fc from "fast-check"
import { Temporal as Polyfill } from "temporal-polyfill/implementation"
import { describe, expect, test } from "vitest"
import { DAY, dayIn, HOUR, MINUTE } from "../calendar"
import { type Cycle, cycles, monthsOf } from "../catalogue/billing-cycle"
import { endOfTerm, newTerm, startOfPaidTime, type Term, trialTerm, withCycles, withDays } from "./term"

const at = (iso: string) => Date.parse(iso)
const shown = (instant: number) => new Date(instant).toISOString()

describe("end of a term", () => {
  test.each<[string, Cycle, number, string]>([
    ["2027-01-31T10:00:00Z", "monthly", 1, "2027-02-28T10:00:00.000Z"],
    ["2027-01-31T10:00:00Z", "monthly", 2, "2027-03-31T10:00:00.000Z"],
    ["2027-01-31T10:00:00Z", "monthly", 3, "2027-04-30T10:00:00.000Z"],
    ["2028-01-31T10:00:00Z", "monthly", 1, "2028-02-29T10:00:00.000Z"],
    ["2028-02-29T10:00:00Z", "annually", 1, "2029-02-28T10:00:00.000Z"],
    ["2028-02-29T10:00:00Z", "annually", 4, "2032-02-29T10:00:00.000Z"],
    ["2026-08-31T00:00:00Z", "semiannually", 1, "2027-02-28T00:00:00.000Z"],
    ["2026-11-30T23:59:59Z", "quarterly", 1, "2027-02-28T23:59:59.000Z"],
    ["2026-12-31T12:00:00Z", "biennially", 1, "2028-12-31T12:00:00.000Z"],
    ["2025-02-28T12:00:00Z", "triennially", 1, "2028-02-28T12:00:00.000Z"],
  ])("from %s, %s times %i, is %s", (anchor, cycle, count, end) => {
    expect(shown(endOfTerm(newTerm(at(anchor), "UTC", count), cycle))).toBe(end)
  })

  test("without a cycle is its start", () => {
    expect(endOfTerm(newTerm(at("2027-01-31T10:00:00Z"), "Europe/Madrid", 0), "monthly")).toBe(
      at("2027-01-31T10:00:00Z"),
    )
  })

  test("keeps the local time across a clock change", () => {
    const term = newTerm(at("2027-03-15T17:30:00Z"), "Europe/Madrid", 1)
    expect(shown(endOfTerm(term, "monthly"))).toBe("2027-04-15T16:30:00.000Z")
  })

  test("is an hour later where the clock skips its time", () => {
    const term = newTerm(at("2027-02-28T01:30:00Z"), "Europe/Madrid", 1)
    expect(shown(endOfTerm(withDays(term, 0), "monthly"))).toBe("2027-03-28T01:30:00.000Z")
    // 02:30 does not exist in Madrid on 28 March 2027; the local time of the end is 03:30.
    expect(
      new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Madrid", timeStyle: "short" }).format(
        at("2027-03-28T01:30:00Z"),
      ),
    ).toBe("03:30")
  })

  test("is the first of two equal local times", () => {
    const term = newTerm(at("2027-09-30T00:30:00Z"), "Europe/Madrid", 1)
    expect(shown(endOfTerm(withDays(term, 1), "monthly"))).toBe("2027-10-31T00:30:00.000Z")
  })

  test("counts days of the calendar where a day has 23 hours", () => {
    const term = withDays(newTerm(at("2027-02-27T11:00:00Z"), "Europe/Madrid", 1), 1)
    expect(endOfTerm(term, "monthly") - endOfTerm(withDays(term, -1), "monthly")).toBe(23 * HOUR)
  })

  test("counts the days that the operator gives after the months", () => {
    const term = withDays(newTerm(at("2027-01-30T10:00:00Z"), "UTC", 1), 1)
    expect(shown(endOfTerm(term, "monthly"))).toBe("2027-03-01T10:00:00.000Z")
  })

  test("is in the zone of the purchase, where the month may already be another", () => {
    const anchor = at("2027-01-31T23:30:00Z")
    expect(shown(endOfTerm(newTerm(anchor, "UTC", 1), "monthly"))).toBe("2027-02-28T23:30:00.000Z")
    expect(shown(endOfTerm(newTerm(anchor, "Pacific/Auckland", 1), "monthly"))).toBe(
      "2027-02-28T23:30:00.000Z",
    )
    expect(shown(endOfTerm(newTerm(anchor, "Pacific/Kiritimati", 13), "monthly"))).toBe(
      "2028-02-29T23:30:00.000Z",
    )
  })
})

describe("paid time", () => {
  const paidAt = at("2027-01-31T10:00:00Z")

  test.each([
    ["is not activated yet", null, paidAt],
    ["is activated ten minutes later", paidAt + 10 * MINUTE, paidAt],
    ["is activated after more than ten minutes", paidAt + 10 * MINUTE + 1, paidAt + 10 * MINUTE + 1],
  ])("of a service that %s begins with the payment or the late activation", (_, activatedAt, start) => {
    expect(startOfPaidTime(paidAt, activatedAt)).toBe(start)
  })
})

describe("a free trial", () => {
  const trial = trialTerm(at("2027-01-31T10:00:00Z"), "UTC", 24)

  test("is followed by a paid term that begins where it ends", () => {
    expect(withCycles(trial, 1)).toEqual(newTerm(at("2027-02-01T10:00:00Z"), "UTC", 1))
  })

  test("stays one while nothing is paid for", () => {
    expect(withCycles(trial, 0)).toEqual(trial)
  })
})

const zones = [
  "UTC",
  "Europe/Madrid",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Asia/Kathmandu",
]
const term = fc.record<Term>({
  anchor: fc.integer({ min: at("2020-01-01T00:00:00Z"), max: at("2040-01-01T00:00:00Z") }),
  zone: fc.constantFrom(...zones),
  count: fc.integer({ min: 0, max: 60 }),
  extraDays: fc.integer({ min: 0, max: 400 }),
})
const cycle = fc.constantFrom(...cycles)
const renewals = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 12 })

describe("properties of a term", () => {
  test("renewals one by one end when one renewal of them all ends", () => {
    fc.assert(
      fc.property(term, cycle, renewals, (start, its, counts) => {
        const oneByOne = counts.reduce(withCycles, start)
        const atOnce = withCycles(
          start,
          counts.reduce((sum, count) => sum + count, 0),
        )
        expect(endOfTerm(oneByOne, its)).toBe(endOfTerm(atOnce, its))
      }),
    )
  })

  test("a cycle of several months ends when as many single months end", () => {
    fc.assert(
      fc.property(term, cycle, (start, its) => {
        const months = { ...start, count: start.count * monthsOf(its) }
        expect(endOfTerm(start, its)).toBe(endOfTerm(months, "monthly"))
      }),
    )
  })

  test("the end is on the day of the anchor's month, or on the last day of a shorter month", () => {
    fc.assert(
      fc.property(term, cycle, (given, its) => {
        const start = { ...given, extraDays: 0 }
        const [, , day] = dayIn(start.zone, start.anchor).split("-").map(Number)
        const [year = 0, month = 0, last] = dayIn(start.zone, endOfTerm(start, its)).split("-").map(Number)
        const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
        expect(last).toBe(Math.min(day ?? 0, length))
      }),
    )
  })

  test("a cycle more ends later, by at least 28 days less an hour for each of its months", () => {
    fc.assert(
      fc.property(term, cycle, (start, its) => {
        const longer = endOfTerm(withCycles(start, 1), its) - endOfTerm(start, its)
        expect(longer).toBeGreaterThanOrEqual(monthsOf(its) * 28 * DAY - HOUR)
      }),
    )
  })

  test("days given and taken back leave the end as it was", () => {
    fc.assert(
      fc.property(term, cycle, fc.integer({ min: 1, max: 90 }), (start, its, days) => {
        expect(endOfTerm(withDays(withDays(start, days), -days), its)).toBe(endOfTerm(start, its))
      }),
    )
  })

  test("the polyfill of older Node versions computes the same end", () => {
    fc.assert(
      fc.property(term, cycle, (start, its) => {
        const end = Polyfill.Instant.fromEpochMilliseconds(start.anchor)
          .toZonedDateTimeISO(start.zone)
          .add({ months: start.count * monthsOf(its) })
          .add({ days: start.extraDays })
        expect(end.epochMilliseconds).toBe(endOfTerm(start, its))
      }),
    )
  })
})
