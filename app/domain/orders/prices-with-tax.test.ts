import fc from "fast-check"
import { expect, test } from "vitest"
import { type Plan, type Product, planOf } from "../catalogue/catalogue"
import { quote } from "../catalogue/pricing"
import { money } from "../money/money"
import { withoutTax } from "../tax/net-prices"
import type { TaxRules } from "../tax/tax"
import { taxTable } from "../tax/tax-table"
import { orderTax, taxTotal } from "./order-tax"
import { expectsGrossPrices, netCurrencies, pricesWithTax, withTaxAdded } from "./prices-with-tax"

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
  prices: { EUR: "exclusive" },
  confirmedOn: "2026-11-01",
}
const german = { buyer: { named: "DE", located: "DE" }, day: "2026-11-27" }

const productAt = (id: string, price: number, extra: number): Product => ({
  id,
  kind: "plan",
  name: "12 months",
  payType: "recurring",
  pricing: { EUR: { annually: price }, GBP: { annually: price } },
  options: [
    {
      id: "1",
      name: "Extra",
      choices: [{ id: "2", name: "Yes", pricing: { EUR: { annually: extra }, GBP: { annually: extra } } }],
    },
  ],
  customFields: [],
})

const priced = (id: string, buyer: string) => {
  const [product] = pricesWithTax(rules, [productAt(id, 7_900, 1_990)], {
    ...german,
    buyer: { named: buyer, located: null },
  })
  return [product?.pricing.EUR?.annually, product?.options[0]?.choices[0]?.pricing.EUR?.annually]
}

test("tax is added to the prices of plans and options by the rate of the buyer's country and the product's category", () => {
  expect(priced("3", "DE")).toEqual([9_401, 2_368])
  expect(priced("9", "DE")).toEqual([8_453, 2_129])
  expect(priced("3", "AT")).toEqual([9_480, 2_388])
})

test("a buyer who is not taxed pays the price of the catalogue", () => {
  expect(priced("3", "US")).toEqual([7_900, 1_990])
})

test("prices of a currency that contain the tax stay as they are", () => {
  const [product] = pricesWithTax(rules, [productAt("3", 7_900, 1_990)], german)
  expect(product?.pricing.GBP).toEqual({ annually: 7_900 })
  expect(netCurrencies(rules)).toEqual(["EUR"])
  expect(netCurrencies({ prices: undefined })).toEqual([])
})

const cents = fc.integer({ min: 0, max: 10_000_000 })
const rate = fc.integer({ min: 0, max: 10_000 })

test("the tax of a price is the same to the cent whether it is added to the net amount or taken out of the gross one", () => {
  fc.assert(
    fc.property(cents, rate, (minor, basisPoints) => {
      const net = money(minor, "EUR")
      expect(withoutTax(withTaxAdded(net, basisPoints), basisPoints)).toEqual(net)
    }),
  )
})

function planAt(price: number, extra: number): Plan {
  const [product] = pricesWithTax(rules, [productAt("3", price, extra)], german)
  const plan = product && planOf(product, "EUR")
  if (!plan) throw new Error("Sold in EUR")
  return plan
}

test("an order at prices with tax costs the sum of what was shown, and its net amounts are the catalogue's to a cent a line", () => {
  fc.assert(
    fc.property(cents, cents, (price, extra) => {
      const plan = planAt(price, extra)
      const chosen = quote(plan, { extraConnection: true, proxyProtection: false }, null)
      const shown = [plan.price.minor, plan.extraConnection?.price.minor ?? 0]
      expect(chosen.total.minor).toBe(shown.reduce((sum, it) => sum + it, 0))
      const tax = orderTax(rules, chosen, german)
      if (!tax) return
      expect(taxTotal(tax).gross).toBe(chosen.total.minor)
      const nets = [price, extra].filter((it) => it > 0)
      for (const [at, { net }] of tax.lines.entries())
        expect(Math.abs(net - (nets[at] ?? 0))).toBeLessThanOrEqual(1)
    }),
  )
})

test("only where the law does not ask for prices with tax the price without it is told too", () => {
  expect(["DE", "GB", "CH", "XX", "US", "CA"].map(expectsGrossPrices)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ])
})
