import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  converted,
  currenciesWithoutRate,
  type ExchangeRate,
  exchangeRateOn,
  exchangeRateText,
  isFarFromFormer,
  type TaxAccounting,
} from "./exchange-rate"

const euros = (rate: string, from: string): ExchangeRate => ({ base: "GBP", quote: "EUR", rate, from })
const pounds = (rate: string, from: string): ExchangeRate => ({ base: "EUR", quote: "GBP", rate, from })

describe("the rate of a day", () => {
  const accounting: TaxAccounting = {
    currency: "EUR",
    exchangeRates: [
      pounds("0.87", "2026-11-01"),
      pounds("0.90", "2026-12-01"),
      { base: "GBP", quote: "EUR", rate: "1.2", from: "2026-10-01" },
    ],
  }

  test.each([
    ["2026-09-30", null],
    ["2026-10-01", "1.2"],
    ["2026-10-31", "1.2"],
    ["2026-11-01", "0.87"],
    ["2026-11-30", "0.87"],
    ["2027-06-01", "0.90"],
  ])("on %s is the last one that began by then, whichever way round it is: %s", (day, rate) => {
    expect(exchangeRateOn(accounting, "GBP", day)?.rate ?? null).toBe(rate)
  })

  test("is none for another currency and for the accounting currency itself", () => {
    expect(exchangeRateOn(accounting, "USD", "2026-11-01")).toBeNull()
    expect(exchangeRateOn(accounting, "EUR", "2026-11-01")).toBeNull()
  })

  test("is missing of the currencies that are sold in without one, but for the accounting currency", () => {
    const sold = ["EUR", "GBP", "USD"] as const
    expect(currenciesWithoutRate(accounting, sold, "2026-11-01")).toEqual(["USD"])
    expect(currenciesWithoutRate(accounting, sold, "2026-09-30")).toEqual(["GBP", "USD"])
  })
})

describe("an amount in another currency", () => {
  test.each([
    // In pounds, at so many pounds for a euro.
    [1_000, pounds("0.8735", "2026-11-01"), "EUR", 1_145],
    // In euros, at the same rate.
    [1_145, pounds("0.8735", "2026-11-01"), "GBP", 1_000],
    [1_576, { base: "EUR", quote: "PLN", rate: "4.2534", from: "2026-11-01" }, "PLN", 6_703],
    // A half is rounded up, as with tax.
    [1, pounds("2", "2026-11-01"), "EUR", 1],
    [1, pounds("2.00000001", "2026-11-01"), "EUR", 0],
    [5, pounds("0.5", "2026-11-01"), "GBP", 3],
    [0, pounds("0.5", "2026-11-01"), "GBP", 0],
  ] as const)("%i at %j in %s is %i", (minor, rate, to, expected) => {
    expect(converted(minor, rate, to)).toBe(expected)
  })

  const rates = fc.integer({ min: 1, max: 9_999_99999 }).map((count) => {
    const digits = String(count).padStart(6, "0")
    return pounds(`${digits.slice(0, -5)}.${digits.slice(-5)}`, "2026-11-01")
  })
  const amounts = fc.integer({ min: 0, max: 1_000_000_00 })

  test("is the nearest one there is, which the exact product shows", () => {
    fc.assert(
      fc.property(amounts, rates, (minor, rate) => {
        const exact = BigInt(rate.rate.replace(".", ""))
        // Both sides times a hundred thousand.
        const off = BigInt(converted(minor, rate, "GBP")) * 100_000n - BigInt(minor) * exact
        expect(off > -50_000n && off <= 50_000n).toBe(true)
      }),
    )
  })

  test("is no smaller for a larger amount", () => {
    fc.assert(
      fc.property(
        amounts,
        amounts,
        rates,
        fc.constantFrom("EUR" as const, "GBP" as const),
        (a, b, rate, to) => {
          const [less, more] = [Math.min(a, b), Math.max(a, b)]
          expect(converted(less, rate, to)).toBeLessThanOrEqual(converted(more, rate, to))
        },
      ),
    )
  })
})

test.each([
  ["the same way round", [pounds("0.87", "2026-10-01"), pounds("0.88", "2026-11-01")], false],
  ["a tenth of it", [pounds("0.87", "2026-10-01"), pounds("0.087", "2026-11-01")], true],
  [
    "the other way round",
    [
      pounds("0.87", "2026-10-01"),
      { base: "GBP", quote: "EUR", rate: "1.1494", from: "2026-11-01" } satisfies ExchangeRate,
    ],
    false,
  ],
  [
    "the wrong way round",
    [
      pounds("0.87", "2026-10-01"),
      { base: "GBP", quote: "EUR", rate: "0.87", from: "2026-11-01" } satisfies ExchangeRate,
    ],
    true,
  ],
  ["a fifth higher", [euros("1.00", "2026-10-01"), euros("1.20", "2026-11-01")], false],
  ["more than a fifth higher", [euros("1.00", "2026-10-01"), euros("1.21", "2026-11-01")], true],
  ["the first", [pounds("0.087", "2026-11-01")], false],
  ["of a later day", [pounds("0.87", "2026-10-01"), pounds("0.087", "2026-12-01")], false],
] as const)("a rate that is %s: whether it is far from the former one", (_, exchangeRates, isFar) => {
  expect(isFarFromFormer({ currency: "EUR", exchangeRates }, "GBP", "2026-11-20")).toBe(isFar)
})

test("a rate is written as it was typed", () => {
  expect(exchangeRateText(pounds("0.87350", "2026-11-01"))).toBe("1 EUR = 0.87350 GBP")
})
