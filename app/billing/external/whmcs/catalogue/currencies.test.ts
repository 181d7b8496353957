import { expect, onTestFinished, test } from "vitest"
import { whmcsShop } from "../../../../../tests/fixtures/whmcs-shop"
import { defaultCurrency } from "./currencies.server"

const currency = (id: string, code: string, rate: string, isDefault = false) => ({
  id,
  code,
  rate,
  default: isDefault,
})

test.each([
  ["the one that is flagged", [currency("1", "EUR", "0.9"), currency("2", "USD", "1", true)], "USD"],
  [
    "the one that the others are rated against",
    [currency("1", "EUR", "0.9"), currency("2", "GBP", "1.00000")],
    "GBP",
  ],
  [
    "the first of those with its rate",
    [currency("3", "EUR", "1.00000"), currency("1", "USD", "1.00000")],
    "USD",
  ],
  ["the only one", [currency("4", "EUR", "")], "EUR"],
  ["none that we charge in", [currency("1", "PLN", "1.00000"), currency("2", "EUR", "0.23")], null],
  ["none where it cannot be told", [currency("1", "EUR", "2"), currency("2", "USD", "3")], null],
])("the default currency is %s", (_, list, code) => {
  expect(defaultCurrency(list)).toBe(code)
})

test("a fixed discount has the default currency also where none is flagged", async () => {
  const shop = await whmcsShop()
  onTestFinished(() => shop.whmcs.close())
  const flagged = await shop.office.promotion("YEAR15")
  expect(flagged?.discount).toEqual({ kind: "fixed", amount: { minor: 1_500, currency: "EUR" } })
  shop.whmcs.quirks.defaultCurrency = "unsaid"
  expect(await shop.office.promotion("YEAR15")).toEqual(flagged)
})
