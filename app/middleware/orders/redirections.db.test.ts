import { afterEach, expect, test } from "vitest"
import { pathOf } from "~/domain/screen-paths"
import { enEn } from "~/i18n/screen-texts/en-en"
import { buy } from "../../../tests/fixtures/purchase"
import { customerSession } from "../../../tests/fixtures/session-harness"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
afterEach(() => shop.billing.close())

const { unpaidByMail, unpaidHere } = enEn.notice

test.each([
  ["by the link in its messages where the shop sends some", true],
  ["in its browser alone where the shop sends none", false],
])("a customer without a service reads that an unpaid order opens %s", async (_, mailsOrders) => {
  shop = await openTestShop()
  const { services } = shop
  Object.assign(services, { shop: { ...services.shop, mailsOrders } })
  const { order } = await buy(shop)
  const session = customerSession(shop, order, { orderId: null })
  const page = await (await respond(services, { path: `${pathOf.viewer.success}.data`, session })).text()
  expect([unpaidByMail, unpaidHere].map((text) => page.includes(text))).toEqual([mailsOrders, !mailsOrders])
})

test.each([
  ["by the link in its emails where the shop sends some", true],
  ["in its browser alone where the shop sends none", false],
])("the checkout of a browser without an order says that an order opens %s", async (_, mailsOrders) => {
  shop = await openTestShop()
  const { services } = shop
  Object.assign(services, { shop: { ...services.shop, mailsOrders } })
  const { elsewhereByMail, elsewhere } = enEn.notice
  const saidOn = async (path: string) => {
    const page = await (await respond(services, { path, session: {} })).text()
    return [elsewhereByMail, elsewhere].map((text) => page.includes(text))
  }
  expect(await saidOn("/_root.data?elsewhere")).toEqual([mailsOrders, !mailsOrders])
  expect(await saidOn("/_root.data")).toEqual([false, false])
})
