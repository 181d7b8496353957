import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { creditNote, invoiceDocument, taxedLine } from "../../../tests/fixtures/tax-document"
import { currencies } from "../money/money"
import {
  addedSums,
  daysOfQuarter,
  moneyTotals,
  monthOf,
  quarterIn,
  quarterOf,
  taxSums,
  taxTotals,
} from "./accounting"
import type { IssuedDocument } from "./tax-document"

test("sums are by country, kind of place, rate and currency, less credit notes", () => {
  const france = { kind: "taxed", country: "FR", registration: "DE123456789" } as const
  const abroad = { kind: "not-registered", country: "US", registration: null } as const
  const sums = taxSums([
    invoiceDocument(),
    invoiceDocument({ place: france, lines: [taxedLine(2_400, 2_000)] }),
    creditNote({ number: "2026-000001", issuedOn: "2026-11-20" }),
    invoiceDocument({ place: abroad, currency: "USD", lines: [taxedLine(5_000, 0)] }),
  ])
  expect(
    sums.map(({ country, kind, basisPoints, currency, net, tax, gross }) => [
      [country, kind, basisPoints, currency].join(" "),
      [net, tax, gross],
    ]),
  ).toEqual([
    ["DE taxed 1900 EUR", [6_639 - 840, 1_261 - 160, 6_900]],
    ["FR taxed 2000 EUR", [2_000, 400, 2_400]],
    ["US not-registered 0 USD", [5_000, 0, 5_000]],
  ])
})

test("totals are by currency, where it has more than one sum, with what is stated in the accounting currency", () => {
  const inZlotys = (net: number, tax: number) => ({ currency: "PLN", net, tax }) as const
  const sum = {
    country: "DE",
    kind: "taxed",
    basisPoints: 1_900,
    currency: "EUR",
    net: 100,
    tax: 19,
    gross: 119,
    accounting: inZlotys(425, 81),
  } as const
  const reduced = { ...sum, basisPoints: 700, net: -100, tax: -7, gross: -107, accounting: null }
  const abroad = { ...sum, country: "FR", net: 50, tax: 10, gross: 60, accounting: inZlotys(213, 43) }
  expect(taxTotals([sum, { ...sum, currency: "GBP" }, reduced, abroad])).toEqual([
    { currency: "EUR", net: 50, tax: 22, gross: 72, accounting: inZlotys(638, 124) },
  ])
  const inEuros = { ...abroad, accounting: { currency: "EUR", net: 50, tax: 10 } } as const
  expect(taxTotals([sum, inEuros])[0]?.accounting).toBeNull()
  expect(taxTotals([sum])).toEqual([])
})

test("the total of the money is payments and refunds, less what became account credit, where a currency has more than one", () => {
  const moved = (kind: "payment" | "refund" | "credit", minor: number, currency: "EUR" | "GBP" = "EUR") => ({
    kind,
    amount: { minor, currency },
  })
  expect(
    moneyTotals([
      moved("payment", 1_200),
      moved("payment", 500, "GBP"),
      moved("refund", -300),
      moved("credit", 200),
    ]),
  ).toEqual([{ minor: 700, currency: "EUR" }])
  expect(moneyTotals([moved("payment", 500), moved("credit", -200)])).toEqual([
    { minor: 700, currency: "EUR" },
  ])
})

/** Documents of few countries, rates and currencies, so that many are added up. */
const documents = fc.array(
  fc
    .record({
      isNote: fc.boolean(),
      country: fc.constantFrom("DE", "FR"),
      currency: fc.constantFrom(...currencies),
      lines: fc.array(
        fc.record({ gross: fc.integer({ min: 0, max: 99_999 }), rate: fc.constantFrom(0, 700, 1_900) }),
        { minLength: 1, maxLength: 4 },
      ),
    })
    .map(
      ({ isNote, country, currency, lines }): IssuedDocument =>
        invoiceDocument({
          kind: isNote ? "credit-note" : "invoice",
          place: { kind: "taxed", country, registration: "DE1" },
          currency,
          lines: lines.map(({ gross, rate }) => taxedLine(gross, rate)),
        }),
    ),
  { maxLength: 20 },
)

describe("sums of any documents", () => {
  test("add up to the amounts of their lines in each currency", () => {
    fc.assert(
      fc.property(documents, (all) => {
        for (const currency of currencies) {
          const own = all.filter((it) => it.currency === currency)
          const signed = own.flatMap(({ kind, lines }) =>
            lines.map(({ gross }) => (kind === "invoice" ? gross : -gross)),
          )
          const sums = taxSums(all).filter((it) => it.currency === currency)
          expect(sums.reduce((sum, { gross }) => sum + gross, 0)).toBe(signed.reduce((a, b) => a + b, 0))
          for (const { net, tax, gross } of sums) expect(net + tax).toBe(gross)
        }
      }),
    )
  })

  test("are the same whatever the pages are that they are read in", () => {
    fc.assert(
      fc.property(documents, fc.nat(20), (all, cut) => {
        const pages = [all.slice(0, cut), all.slice(cut)]
        expect(addedSums(pages.flatMap(taxSums))).toEqual(taxSums(all))
      }),
    )
  })
})

test.each([
  ["2026-01-01", 1],
  ["2026-03-31", 1],
  ["2026-04-01", 2],
  ["2026-12-31", 4],
])("the quarter of %s is the %i", (day, quarter) => {
  expect(quarterOf(day)).toEqual({ year: 2026, quarter })
})

test("months and quarters have their first and their last day, also of a leap year and before January", () => {
  expect(daysOfQuarter({ year: 2026, quarter: 1 })).toEqual({ from: "2026-01-01", until: "2026-03-31" })
  expect(daysOfQuarter({ year: 2026, quarter: 4 })).toEqual({ from: "2026-10-01", until: "2026-12-31" })
  expect(monthOf(2028, 2)).toEqual({ from: "2028-02-01", until: "2028-02-29" })
  expect(monthOf(2027, 0)).toEqual({ from: "2026-12-01", until: "2026-12-31" })
})

test.each(["2026-Q5", "2026-Q0", "26-Q1", "2026", "2026-q1", "2026-Q1 "])("%j is no quarter", (text) => {
  expect(quarterIn(text)).toBeNull()
})

test("a quarter is parsed as it is written", () => {
  expect(quarterIn("2026-Q4")).toEqual({ year: 2026, quarter: 4 })
})
