import fc from "fast-check"
import { expect, test } from "vitest"
import { taxedLine } from "../../../tests/fixtures/tax-document"
import type { Quote, QuoteLine } from "../catalogue/pricing"
import { money } from "../money/money"
import type { TaxRules } from "../tax/tax"
import { taxTable } from "../tax/tax-table"
import { type OrderTax, orderTax, productRates, taxByRate, taxesOf, taxTotal, taxWhenPaid } from "./order-tax"

const rules: TaxRules = {
  country: "DE",
  registrations: [{ country: "DE", number: "DE123456789", from: "2020-01-01", until: null }],
  oneStopShop: true,
  rates: [
    { country: "DE", category: "reduced", basisPoints: 700, from: "2020-01-01", until: null },
    ...taxTable,
  ],
  exempt: [],
  categories: { "9": "reduced" },
  confirmedOn: "2026-11-01",
}
const euro = (minor: number) => money(minor, "EUR")
const sale = { buyer: { named: "DE", located: "DE" }, day: "2026-11-27" }
const plan: QuoteLine = { kind: "plan", productId: "3", name: "12 months", amount: euro(7_900) }
const extra: QuoteLine = {
  kind: "extraConnection",
  optionId: "1",
  choiceId: "2",
  name: "Extra",
  amount: euro(1_990),
}
const quoteOf = (...lines: QuoteLine[]): Quote => ({
  lines,
  total: euro(lines.reduce((sum, { amount }) => sum + amount.minor, 0)),
})
const off = (minor: number): QuoteLine => ({ kind: "discount", code: "TEN", amount: euro(-minor) })

test("the tax of an order is within its total, line by line, after the discount", () => {
  const tax = orderTax(rules, quoteOf(plan, extra, off(989)), sale)
  expect(tax?.place).toEqual({ kind: "taxed", country: "DE", registration: "DE123456789" })
  expect(tax?.lines).toEqual([
    { position: 0, basisPoints: 1_900, net: 5_975, tax: 1_135, gross: 7_110 },
    { position: 1, basisPoints: 1_900, net: 1_505, tax: 286, gross: 1_791 },
  ])
  expect(tax && taxTotal(tax)).toEqual({ net: 7_480, tax: 1_421, gross: 8_901 })
})

test("the country that the buyer named counts before that of the address, and without either the seller's", () => {
  const rateFor = (named: string | null, located: string | null) =>
    orderTax(rules, quoteOf(plan), { ...sale, buyer: { named, located } })?.lines[0]?.basisPoints
  expect([rateFor("AT", "DE"), rateFor(null, "FI"), rateFor(null, null), rateFor("US", "DE")]).toEqual([
    2_000, 2_550, 1_900, 0,
  ])
})

test("an order that is not taxed tells why, with all of its price as net", () => {
  const tax = orderTax(rules, quoteOf(plan), { ...sale, buyer: { named: "US", located: null } })
  expect(tax?.place.kind).toBe("not-registered")
  expect(tax && taxTotal(tax)).toEqual({ net: 7_900, tax: 0, gross: 7_900 })
})

test("options have the rate of their plan, and extra connections that of their service", () => {
  const reduced: QuoteLine = { ...plan, productId: "9" }
  expect(taxByRate(orderTax(rules, quoteOf(reduced, extra), sale) ?? { lines: [] })).toMatchObject([
    { basisPoints: 700, gross: 9_890 },
  ])
  const connections: QuoteLine = { ...extra, kind: "moreConnections", quantity: 1 }
  const upsell = (productId: string) => orderTax(rules, quoteOf(connections), { ...sale, productId })
  expect([upsell("9"), upsell("3")].map((it) => it?.lines[0]?.basisPoints)).toEqual([700, 1_900])
})

test("a renewal of services of two rates has both, the higher first", () => {
  const renewal = (productId: string): QuoteLine => ({ ...plan, kind: "renewal", months: 12, productId })
  const tax = orderTax(rules, quoteOf(renewal("9"), renewal("3")), sale)
  expect(taxByRate(tax ?? { lines: [] }).map(({ basisPoints, tax: minor }) => [basisPoints, minor])).toEqual([
    [1_900, 1_261],
    [700, 517],
  ])
})

test("account credit that is bought is not taxed, nor is what costs nothing", () => {
  expect(orderTax(rules, quoteOf({ kind: "accountCredit", amount: euro(2_000) }), sale)).toBeNull()
  expect(orderTax(rules, quoteOf(plan, off(7_900)), sale)).toBeNull()
})

test("prices that change while choosing have the rate of each product", () => {
  expect(productRates(rules, ["3", "9"], sale)).toEqual({ "3": 1_900, "9": 700 })
})

test("lines of any order add up to its total, whatever the order of discounts is", () => {
  const discounts = fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 4 })
  fc.assert(
    fc.property(discounts, (amounts) => {
      const first = orderTax(rules, quoteOf(plan, extra, ...amounts.map(off)), sale)
      const last = orderTax(rules, quoteOf(...amounts.toReversed().map(off), plan, extra), sale)
      const sums = (tax: typeof first) => tax && [taxTotal(tax), tax.lines.map(({ gross }) => gross)]
      expect(sums(first)).toEqual(sums(last))
      const paid = 9_890 - amounts.reduce((sum, amount) => sum + amount, 0)
      expect(first && taxTotal(first).gross).toBe(paid)
    }),
  )
})

test("the region that a buyer has chosen counts in their own country, and not where the seller's rate is charged", () => {
  // Two countries can have a region of one name.
  const rate = { region: "Limburg", category: "standard", from: "2026-01-01", until: null }
  const rates = [
    { ...rate, country: "NL", basisPoints: 700 },
    { ...rate, country: "DE", basisPoints: 100 },
    ...rules.rates,
  ]
  const buyer = { named: "NL", located: "NL", region: "Limburg" }
  const rateIn = (oneStopShop: boolean) =>
    orderTax({ ...rules, rates, oneStopShop }, quoteOf(plan), { ...sale, buyer })?.lines[0]?.basisPoints
  expect([rateIn(true), rateIn(false)]).toEqual([700, 1_900])
  expect(productRates({ ...rules, rates }, ["3"], { ...sale, buyer })).toEqual({ 3: 700 })
})

test("an order tells its own tax by rate, or that which an external invoice states; without either nothing is known", () => {
  const tax = orderTax(rules, quoteOf(plan), sale)
  const stated = [{ basisPoints: 887.5, amount: 644 }]
  expect(taxesOf({ tax })).toEqual([{ basisPoints: 1_900, amount: 1_261 }])
  expect(taxesOf({ externalTax: stated })).toEqual(stated)
  expect(taxesOf({ tax: null })).toBeNull()
})

test("an order that is not taxed tells no rate", () => {
  const abroad = orderTax(rules, quoteOf(plan), { ...sale, buyer: { named: "US", located: "US" } })
  expect([abroad?.place.kind, taxesOf({ tax: abroad })]).toEqual(["not-registered", []])
})

const raised: TaxRules = {
  ...rules,
  rates: [
    { country: "DE", category: "standard", basisPoints: 1_900, from: "2020-01-01", until: "2026-11-30" },
    { country: "DE", category: "standard", basisPoints: 2_100, from: "2026-12-01", until: null },
    ...rules.rates.filter(({ country, category }) => country !== "DE" || category !== "standard"),
  ],
}
const sold = quoteOf(plan, { ...plan, productId: "9" }, extra, off(989))
const placedTax = (buyer: { named: string; located: string | null } = sale.buyer): OrderTax => {
  const tax = orderTax(raised, sold, { ...sale, buyer })
  if (!tax) throw new Error("It has no tax")
  return tax
}
const paidOn = (tax: OrderTax, day: string, by = raised) =>
  taxWhenPaid(by, { lines: sold.lines, tax }, { placedOn: sale.day, paidOn: day, productId: null })

test("an order that is paid after a rate has changed has the new rate within the same amounts", () => {
  const [before, after] = [placedTax(), paidOn(placedTax(), "2026-12-01")]
  expect(after.lines.map(({ basisPoints }) => basisPoints)).toEqual([2_100, 700, 2_100])
  expect(after.lines.map(({ gross, position }) => [gross, position])).toEqual(
    before.lines.map(({ gross, position }) => [gross, position]),
  )
  const [standard, reduced] = taxByRate(after)
  expect(standard && standard.tax).toBe(Math.round((standard?.gross ?? 0) * (2_100 / 12_100)))
  expect(reduced).toEqual(taxByRate(before)[1])
  expect(after).toMatchObject({ place: before.place, buyer: before.buyer })
})

test("an order keeps its tax when no rate has changed until its payment, and when it has none", () => {
  const tax = placedTax()
  expect(paidOn(tax, "2026-11-30")).toBe(tax)
  const untaxed = placedTax({ named: "US", located: null })
  expect(paidOn(untaxed, "2026-12-01")).toBe(untaxed)
})

test("an order keeps its tax when the rules were corrected in hindsight, and when they have no rate for the day", () => {
  const tax = placedTax()
  const of = (basisPoints: number, until: string | null): TaxRules => ({
    ...raised,
    rates: [{ country: "DE", category: "standard", basisPoints, from: "2020-01-01", until }],
    categories: {},
  })
  expect(paidOn(tax, "2026-12-01", of(2_100, null))).toBe(tax)
  expect(paidOn(tax, "2026-12-01", of(1_900, "2026-11-30"))).toBe(tax)
})

test("lines of one rate are added up, the highest rate first", () => {
  const lines = [taxedLine(1_000, 700), taxedLine(7_900), taxedLine(1_990)]
  expect(taxByRate({ lines })).toEqual([
    { basisPoints: 1_900, net: 8_311, tax: 1_579, gross: 9_890 },
    { basisPoints: 700, net: 935, tax: 65, gross: 1_000 },
  ])
})
