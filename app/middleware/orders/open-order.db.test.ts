import { afterEach, beforeEach, expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import { pathOf } from "~/domain/orders/screen-paths"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { enEn } from "~/i18n/screen-texts/en-en"
import { buy } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const { openOrder, openOrderSeen } = enEn.unpaid

/** The waiting page of the session's order. */
async function waitingPage(orderId: string, query = ""): Promise<string> {
  const session = { id: "browser", sealedAt: shop.services.now(), orderId }
  const path = `${pathOf.viewer.waiting}.data${query}`
  return (await respond(shop.services, { path, session })).text()
}

test.each([pathOf.viewer.checkout, pathOf.reseller.checkout])(
  "a buyer whom the logo leads back to an open order from %s reads why, and how to see the plans",
  async (path) => {
    const { order } = await buy(shop)
    const session = { id: "browser", sealedAt: shop.services.now(), orderId: order.id }
    const led = await respond(shop.services, { path, session })
    expect(led.headers.get("location")).toBe("/checkout/waiting?open")
    expect(await waitingPage(order.id, "?open")).toContain(openOrder)
    expect(await waitingPage(order.id)).not.toContain(openOrder)
  },
)

test("while a payment is seen that is not confirmed, the order cannot be changed, and the page says so", async () => {
  const { order } = await buy(shop)
  shop.gateway.reports("processing", 0)
  shop.wait(5 * SECOND)
  await getOrderProgress(shop.services, order.id)
  expect(await waitingPage(order.id, "?open")).toContain(openOrderSeen)
})

test("from the review, which has become the order, a buyer is led on without a word", async () => {
  const { order } = await buy(shop)
  const session = { id: "browser", sealedAt: shop.services.now(), orderId: order.id }
  const led = await respond(shop.services, { path: "/creatingOrder", session })
  expect(led.headers.get("location")).toBe("/checkout/waiting")
})
