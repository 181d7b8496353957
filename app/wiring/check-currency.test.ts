import { afterEach, expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { type WhmcsShop, whmcsShop } from "../../tests/fixtures/whmcs-shop"
import { checkCurrency } from "./check-currency.server"

let shop: WhmcsShop | null = null
afterEach(() => shop?.whmcs.close())

test("the start rejects a CURRENCY without a price in WHMCS, and names both", async () => {
  shop = await whmcsShop({ currencies: ["USD"] })
  const billing = { plans: shop.office.plans }
  await expect(checkCurrency(billing, "EUR")).rejects.toThrow(
    "Invalid CURRENCY EUR: no plan of the billing system has a price in it (it has prices only in USD)",
  )
  await expect(checkCurrency(billing, "USD")).resolves.toBeUndefined()
})

test.each([
  ["does not answer", async () => Promise.reject(new BillingError("unavailable", "no answer"))],
  ["takes longer than a start waits", () => new Promise<never>(() => {})],
  ["has no plan at all", async () => []],
])("the start accepts any CURRENCY while external billing %s", async (_, plans) => {
  await expect(checkCurrency({ plans }, "EUR", 10)).resolves.toBeUndefined()
})
