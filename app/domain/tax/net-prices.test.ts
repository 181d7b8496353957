import fc from "fast-check"
import { expect, test } from "vitest"
import type { Plan } from "../catalogue/catalogue"
import { quote } from "../catalogue/pricing"
import type { Business } from "../customers/business"
import { money } from "../money/money"
import { orderTax, rateTakenOff, taxTotal } from "../orders/order-tax"
import { discountWithoutTax, planWithoutTax, quoteWithoutTax, withoutTax } from "./net-prices"
import type { TaxRules } from "./tax"
import { taxTable } from "./tax-table"

const rules: TaxRules = {
  country: "DE",
  registrations: [{ country: "DE", number: "DE123456789", from: "2020-01-01", until: null }],
  oneStopShop: true,
  rates: taxTable,
  exempt: [],
  categories: {},
  confirmedOn: "2026-11-01",
}
const day = "2026-11-27"
const euro = (minor: number) => money(minor, "EUR")
const company = (taxNumber: string, answer: Business["check"]["result"] = "valid"): Business => ({
  company: "Lumière SARL",
  address: [],
  taxNumber,
  check: { result: answer, at: 1, requestId: null },
})
const buyerIn = (country: string, business?: Business) => ({ named: country, located: null, business })
const planOf = (price: number, extra: number): Plan => ({
  id: "3",
  name: "12 months",
  payType: "recurring",
  cycle: "annually",
  price: euro(price),
  extraConnection: { optionId: "1", choiceId: "2", name: "Extra", price: euro(extra) },
  proxyProtection: null,
})
const off = (taken: TaxRules, country: string, business?: Business) =>
  rateTakenOff(taken, "3", { buyer: buyerIn(country, business), day })

test("a business pays the price without the tax that a consumer of its country would pay", () => {
  const french = company("FR40303265045")
  expect(off(rules, "FR", french)).toBe(2_000)
  // Below the threshold consumers of the Union pay the rate of the seller's country.
  expect(off({ ...rules, oneStopShop: false }, "FR", french)).toBe(1_900)
  expect(withoutTax(euro(7_900), 2_000)).toEqual(euro(6_583))
})

test.each([
  ["a consumer", "FR", undefined],
  ["a business whose number is not confirmed", "FR", company("FR40303265045", "unanswered")],
  ["a business whose number nobody checks", "FR", company("FR40303265045", "unchecked")],
  ["a business of the seller's country", "DE", company("DE136695976")],
  ["a business with the number of another country", "AT", company("FR40303265045")],
  ["a British business, which the seller does not tax", "GB", company("GB980780684")],
  ["a Swiss business, which the seller does not tax", "CH", company("CHE107787577")],
])("%s pays the whole price", (_, country, business) => {
  expect(off(rules, country, business)).toBe(0)
})

test("a quote without tax adds up, names the prices with tax, and is what its order is taxed on", () => {
  const buyer = buyerIn("FR", company("FR40303265045"))
  const applied = { code: "FIVE", discount: { kind: "fixed", amount: euro(500) } } as const
  const extras = { extraConnection: true, proxyProtection: false }
  const net = quoteWithoutTax(planOf(7_900, 1_990), extras, { applied, basisPoints: 2_000 })
  expect(net.lines.map(({ amount, listed }) => [amount.minor, listed?.minor])).toEqual([
    [6_583, 7_900],
    [1_658, 1_990],
    [-417, -500],
  ])
  expect(net.total).toEqual(euro(7_824))
  const tax = orderTax(rules, net, { buyer, day })
  expect(tax?.place).toEqual({ kind: "reverse-charge", country: "FR", registration: "DE123456789" })
  expect(tax && taxTotal(tax)).toEqual({ net: 7_824, tax: 0, gross: 7_824 })
})

const price = fc.integer({ min: 0, max: 1_000_000 })
const rate = fc.integer({ min: 1, max: 3_000 })

test("a price without tax and its tax are the price with it, for any price and rate", () => {
  fc.assert(
    fc.property(price, rate, (amount, basisPoints) => {
      const net = withoutTax(euro(amount), basisPoints).minor
      const tax = amount - net
      expect(net).toBeLessThanOrEqual(amount)
      // Half a cent at most is rounded.
      expect(Math.abs(tax - (amount * basisPoints) / (10_000 + basisPoints))).toBeLessThanOrEqual(0.5)
      expect(withoutTax(euro(-amount), basisPoints).minor).toBe(net === 0 ? 0 : -net)
    }),
  )
})

test("the checkout's page, which adds up prices without tax, has the total of the order", () => {
  const discount = fc.oneof(
    fc.record({ kind: fc.constant("percentage" as const), basisPoints: fc.integer({ min: 0, max: 10_000 }) }),
    fc.record({ kind: fc.constant("fixed" as const), amount: price.map(euro) }),
  )
  const wanted = fc.record({ extraConnection: fc.boolean(), proxyProtection: fc.constant(false) })
  fc.assert(
    fc.property(price, price, rate, discount, wanted, (plan, extra, basisPoints, given, extras) => {
      const applied = { code: "SOME", discount: given }
      const ordered = quoteWithoutTax(planOf(plan, extra), extras, { applied, basisPoints })
      const shown = quote(planWithoutTax(planOf(plan, extra), basisPoints), extras, {
        ...applied,
        discount: discountWithoutTax(given, basisPoints),
      })
      expect(ordered.total).toEqual(shown.total)
      expect(ordered.lines.reduce((sum, { amount }) => sum + amount.minor, 0)).toBe(ordered.total.minor)
    }),
  )
})
