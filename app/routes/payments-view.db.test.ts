import { RouterContextProvider } from "react-router"
import { afterEach, beforeEach, expect, test } from "vitest"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money"
import { buy, buyPlan, pay } from "../../tests/fixtures/purchase"
import { openTestShop, type TestShop, TOTAL } from "../../tests/fixtures/test-shop"
import { paymentsOfService } from "./payments-view.server"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

/** Account credit on the receipt of the last order of a service. */
async function creditOnReceipt(serviceId: string) {
  const context = new RouterContextProvider()
  context.set(servicesContext, shop.services)
  context.set(localeContext, defaultLocale)
  const service = await shop.services.billing.service(serviceId)
  if (!service) throw new Error(`There is no service ${serviceId}`)
  const payments = await paymentsOfService(context, { service, services: [service], receipt: null })
  return payments?.receipt.credit
}

test.each([
  ["nothing more", 0],
  ["less than the credit more", 4_00],
  ["more than the credit more", 20_00],
])("a receipt names the credit that was used, when the buyer has paid %s than was due", async (_, more) => {
  const overpaid = await buyPlan(shop, {}, TOTAL + 10_00)
  expect(await creditOnReceipt(overpaid.serviceId)).toBeNull()
  const { order } = await buy(shop, { key: "draft-2", orderId: overpaid.id })
  await pay(shop, order, TOTAL - 10_00 + more)
  expect(await creditOnReceipt(order.serviceId)).toEqual(money(10_00, "EUR"))
})
