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
  ["the flagged currency", [currency("1", "EUR", "0.9"), currency("2", "USD", "1", true)], "USD"],
  [
    "the currency with rate 1 if none is flagged",
    [currency("1", "EUR", "0.9"), currency("2", "GBP", "1.00000")],
    "GBP",
  ],
  [
    "the one with the lowest id among those with rate 1",
    [currency("3", "EUR", "1.00000"), currency("1", "USD", "1.00000")],
    "USD",
  ],
  ["the only currency", [currency("4", "EUR", "")], "EUR"],
  [
    "null if the checkout does not support it",
    [currency("1", "PLN", "1.00000"), currency("2", "EUR", "0.23")],
    null,
  ],
  ["null if none is flagged or has rate 1", [currency("1", "EUR", "2"), currency("2", "USD", "3")], null],
])("defaultCurrency returns %s", (_, list, code) => {
  expect(defaultCurrency(list)).toBe(code)
})

test("uses the default currency for a fixed discount even if WHMCS flags none", async () => {
  const shop = await whmcsShop()
  onTestFinished(() => shop.whmcs.close())
  const flagged = await shop.office.promotion("YEAR15")
  expect(flagged?.discount).toEqual({ kind: "fixed", amount: { minor: 1_500, currency: "EUR" } })
  shop.whmcs.quirks.defaultCurrency = "unsaid"
  expect(await shop.office.promotion("YEAR15")).toEqual(flagged)
})
