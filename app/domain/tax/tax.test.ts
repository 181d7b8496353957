import fc from "fast-check"
import { expect, test } from "vitest"
import { type Money, money, per, times } from "../money/money"
import {
  STANDARD,
  type TaxRules,
  taxLines,
  taxPlace,
  taxRate,
  taxRegions,
  type UntaxedLine,
  unionCountries,
} from "./tax"
import { taxTable } from "./tax-table"

const german: TaxRules = {
  country: "DE",
  registrations: [{ country: "DE", number: "DE123456789", from: "2020-01-01", until: null }],
  oneStopShop: false,
  rates: taxTable,
  exempt: [],
  categories: {},
  confirmedOn: "2026-11-01",
}
const today = "2026-11-27"
const taxed = (country: string) => ({ kind: "taxed", country, registration: "DE123456789" })

test("a consumer of the seller's country pays its rate", () => {
  expect(taxPlace(german, { country: "DE" }, today)).toEqual(taxed("DE"))
})

test("a consumer of another member state pays the seller's rate, and the own one under the one-stop shop", () => {
  expect(taxPlace(german, { country: "AT" }, today)).toEqual(taxed("DE"))
  expect(taxPlace({ ...german, oneStopShop: true }, { country: "AT" }, today)).toEqual(taxed("AT"))
})

test("a buyer of an unknown country has the seller's", () => {
  expect(taxPlace(german, { country: "XX" }, today)).toEqual(taxed("DE"))
})

test("a business of another member state owes the tax itself, one of the seller's country does not", () => {
  const rules = { ...german, oneStopShop: true }
  expect(taxPlace(rules, { country: "FR", business: true }, today)).toEqual({
    kind: "reverse-charge",
    country: "FR",
    registration: "DE123456789",
  })
  expect(taxPlace(rules, { country: "DE", business: true }, today)).toEqual(taxed("DE"))
})

test("a country is taxed once the seller is registered there, and until it is not any more", () => {
  const swiss = { country: "CH", number: "CHE-123.456.788 MWST", from: "2026-02-01", until: "2026-10-31" }
  const rules = { ...german, registrations: [...german.registrations, swiss] }
  const on = (day: string) => taxPlace(rules, { country: "CH" }, day).kind
  expect(["2026-01-31", "2026-02-01", "2026-10-31", "2026-11-01"].map(on)).toEqual([
    "not-registered",
    "taxed",
    "taxed",
    "not-registered",
  ])
})

test("a seller who is registered in several member states taxes the others by its own country's registration", () => {
  const austrian = { country: "AT", number: "ATU12345675", from: "2020-01-01", until: null }
  const rules = { ...german, registrations: [austrian, ...german.registrations] }
  expect(taxPlace(rules, { country: "FR" }, today)).toEqual(taxed("DE"))
  expect(taxPlace(rules, { country: "FR", business: true }, today)).toMatchObject({
    registration: "DE123456789",
  })
})

test("nothing is taxed for an exempt country, nor by a seller without a registration", () => {
  expect(taxPlace({ ...german, exempt: ["AT"] }, { country: "AT" }, today).kind).toBe("exempt")
  const countries = ["DE", "AT", "GB", "CH", "US", "XX"]
  for (const country of countries)
    expect(taxPlace({ ...german, registrations: [] }, { country }, today).kind).toBe("not-registered")
})

test("a British seller with a registration in the Union only for the one-stop shop taxes by it alone", () => {
  const british = {
    ...german,
    country: "GB",
    registrations: [
      { country: "GB", number: "GB123456789", from: "2020-01-01", until: null },
      { country: "IE", number: "IE1234567T", from: "2020-01-01", until: null },
    ],
  }
  expect(taxPlace(british, { country: "GB" }, today)).toMatchObject({ registration: "GB123456789" })
  expect(taxPlace(british, { country: "ES" }, today).kind).toBe("not-registered")
  expect(taxPlace({ ...british, oneStopShop: true }, { country: "ES" }, today)).toEqual({
    kind: "taxed",
    country: "ES",
    registration: "IE1234567T",
  })
})

test("a rate has its days, and the first that is valid counts", () => {
  const lowered = {
    country: "DE",
    category: STANDARD,
    basisPoints: 1_600,
    from: "2026-07-01",
    until: "2026-12-31",
  }
  const rules = { rates: [lowered, ...taxTable] }
  const on = (day: string) => taxRate(rules, "DE", { category: STANDARD, day })
  expect(["2026-06-30", "2026-07-01", "2026-12-31", "2027-01-01"].map(on)).toEqual([
    1_900, 1_600, 1_600, 1_900,
  ])
})

test("a category without a rate of its own has the standard one; an unknown country has none", () => {
  const book = { country: "DE", category: "reduced", basisPoints: 700, from: "2020-01-01", until: null }
  const rules = { rates: [...taxTable, book] }
  expect(taxRate(rules, "DE", { category: "reduced", day: today })).toBe(700)
  expect(taxRate(rules, "AT", { category: "reduced", day: today })).toBe(2_000)
  expect(taxRate(rules, "US", { category: "reduced", day: today })).toBeNull()
})

test("the draft has one standard rate for each member state, Britain and Switzerland", () => {
  const countries = taxTable.map(({ country }) => country)
  expect(countries.toSorted()).toEqual([...unionCountries, "CH", "GB"].toSorted())
})

/** The tax that the checkout shows while a selection changes. */
const shownTax = (gross: Money, basisPoints: number) => per(times(gross, basisPoints), 10_000 + basisPoints)

const none = { discount: 0, prices: "inclusive" } as const

test("the tax of a German consumer's 79 euros is 12.61", () => {
  expect(taxLines([{ amount: 7_900, basisPoints: 1_900 }], none)).toEqual([
    { basisPoints: 1_900, net: 6_639, tax: 1_261, gross: 7_900 },
  ])
  expect(shownTax(money(7_900, "EUR"), 1_900)).toEqual(money(1_261, "EUR"))
})

test("a discount is taken off before tax, from each line by its share", () => {
  const lines = [
    { amount: 8_000, basisPoints: 1_900 },
    { amount: 2_000, basisPoints: 700 },
  ]
  expect(taxLines(lines, { discount: 1_000, prices: "exclusive" })).toEqual([
    { basisPoints: 1_900, net: 7_200, tax: 1_368, gross: 8_568 },
    { basisPoints: 700, net: 1_800, tax: 126, gross: 1_926 },
  ])
})

test("half a cent of tax is rounded up once for a rate, not for each line", () => {
  const line = { amount: 5, basisPoints: 1_000 }
  const taxes = taxLines([line, line, line], { discount: 0, prices: "exclusive" }).map(({ tax }) => tax)
  expect(taxes.toSorted()).toEqual([0, 1, 1])
})

const anyRate = fc.constantFrom(0, 250, 700, 810, 1_900, 2_000, 2_100, 2_550, 2_700)
const anyLine = fc.record({ amount: fc.integer({ min: 0, max: 999_999_999 }), basisPoints: anyRate })
const anyOrder = fc
  .record({
    lines: fc.array(anyLine, { minLength: 1, maxLength: 8 }),
    part: fc.integer({ min: 0, max: 10_000 }),
    prices: fc.constantFrom("inclusive" as const, "exclusive" as const),
  })
  .map(({ lines, part, prices }) => {
    const sum = sumOf(lines, ({ amount }) => amount)
    return { lines, terms: { prices, discount: Math.floor((sum / 10_000) * part) } }
  })

function sumOf<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0)
}

test("net and tax are gross on every line and in sum, and nothing of the price is lost", () => {
  fc.assert(
    fc.property(anyOrder, ({ lines, terms }) => {
      const result = taxLines(lines, terms)
      for (const { net, tax, gross } of result) {
        expect(net + tax).toBe(gross)
        expect(Math.min(net, tax)).toBeGreaterThanOrEqual(0)
      }
      const price = terms.prices === "inclusive" ? "gross" : "net"
      const paid = sumOf(lines, ({ amount }) => amount) - terms.discount
      expect(sumOf(result, (line) => line[price])).toBe(paid)
    }),
  )
})

test("no line is more than a cent from its own tax, and a rate has the tax of its sum", () => {
  fc.assert(
    fc.property(anyOrder, ({ lines, terms }) => {
      const result = taxLines(lines, { ...terms, prices: "inclusive" })
      for (const [basisPoints, group] of Map.groupBy(result, (line) => line.basisPoints)) {
        expect(sumOf(group, ({ tax }) => tax)).toBe(
          shownTax(
            money(
              sumOf(group, ({ gross }) => gross),
              "EUR",
            ),
            basisPoints,
          ).minor,
        )
        for (const { gross, tax } of group)
          expect(Math.abs(tax - (gross * basisPoints) / (10_000 + basisPoints))).toBeLessThan(1)
      }
    }),
  )
})

test("prices without tax and with it agree", () => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 8 }), (lines) => {
      const added = taxLines(lines, { discount: 0, prices: "exclusive" })
      const within = taxLines(
        added.map(({ gross, basisPoints }) => ({ amount: gross, basisPoints })),
        none,
      )
      for (const rate of new Set(lines.map(({ basisPoints }) => basisPoints))) {
        const taxOf = (of: typeof added) =>
          sumOf(of, ({ basisPoints, tax }) => (basisPoints === rate ? tax : 0))
        expect(taxOf(within)).toBe(taxOf(added))
      }
    }),
  )
})

test("the order of lines changes no cent of any line", () => {
  const shuffled = anyOrder.chain(({ lines, terms }) =>
    fc
      .shuffledSubarray(
        lines.map((_, at) => at),
        { minLength: lines.length },
      )
      .map((order) => ({ lines, terms, order })),
  )
  fc.assert(
    fc.property(shuffled, ({ lines, terms, order }) => {
      const inOrder = order.flatMap((at): UntaxedLine[] => (lines[at] ? [lines[at]] : []))
      expect(sorted(lines, terms)).toEqual(sorted(inOrder, terms))
    }),
  )
})

test("of two lines that a discount makes equal, the dearer one has the odd cent of tax, whichever comes first", () => {
  const [dear, cheap] = [4, 3].map((amount): UntaxedLine => ({ amount, basisPoints: 1_900 }))
  if (!dear || !cheap) throw new Error("There are two lines")
  const terms = { discount: 1, prices: "inclusive" } as const
  const taxes = (...lines: UntaxedLine[]) => taxLines(lines, terms).map(({ gross, tax }) => ({ gross, tax }))
  const [first, second] = [
    { gross: 3, tax: 1 },
    { gross: 3, tax: 0 },
  ]
  expect(taxes(dear, cheap)).toEqual([first, second])
  expect(taxes(cheap, dear)).toEqual([second, first])
})

function sorted(lines: readonly UntaxedLine[], terms: Parameters<typeof taxLines>[1]): string[] {
  const amounts = lines.map(({ amount }) => amount)
  return taxLines(lines, terms)
    .map((line, at) => JSON.stringify([amounts[at], line]))
    .toSorted()
}

test("rates of a region come before those of its country, and only for who is there", () => {
  const rate = { category: STANDARD, from: "2026-01-01", until: null } as const
  const rates = [
    { ...rate, country: "ES", region: "Canarias", basisPoints: 700 },
    { ...rate, country: "ES", region: "Ceuta", basisPoints: 0, until: "2026-06-30" },
    { ...rate, country: "ES", category: "reduced", basisPoints: 1_000 },
    { ...rate, country: "ES", basisPoints: 2_100 },
  ]
  const rateOf = (region: string | null, category: string = STANDARD, day = "2026-06-30") =>
    taxRate({ rates }, "ES", { category, day, region })
  expect(rateOf("Canarias")).toBe(700)
  expect(rateOf("Canarias", "reduced")).toBe(700)
  expect(rateOf("Ceuta")).toBe(0)
  expect(rateOf("Ceuta", STANDARD, "2026-07-01")).toBe(2_100)
  expect(rateOf("Madrid")).toBe(2_100)
  expect(rateOf(null)).toBe(2_100)
  expect(taxRate({ rates: rates.slice(0, 2) }, "ES", { category: STANDARD, day: "2026-06-30" })).toBeNull()
  expect(taxRegions({ rates }, "ES", "2026-06-30")).toEqual(["Canarias", "Ceuta"])
  expect(taxRegions({ rates }, "ES", "2026-07-01")).toEqual(["Canarias"])
  expect(taxRegions({ rates }, "DE", "2026-06-30")).toEqual([])
})
