import { RouterContextProvider } from "react-router"
import { afterEach, beforeEach, expect, test } from "vitest"
import { servicesContext } from "~/context/services.server"
import { emptySession, sessionContext } from "~/context/session.server"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { handleOrderEmailAction, shownEmail } from "./order-email-action.server"

const PAGE = new URL("https://shop.test/checkout/waiting")

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

test("a correction with the field for robots filled in changes nothing", async () => {
  const { order } = await buy(shop)
  const context = new RouterContextProvider()
  context.set(servicesContext, shop.services)
  context.set(sessionContext, { ...emptySession, orderId: order.id })
  const form = new FormData()
  form.set("email", "ben@example.test")
  form.set("website", "https://spam.test")
  expect(await handleOrderEmailAction(form, { context, path: "/checkout/waiting" })).toMatchObject({
    status: 400,
    lastResult: { error: { email: ["signIn.mail.again"] } },
  })
  expect((await shop.services.billing.order(order.id))?.email).toBe(order.email)
})

test("the e-mail of an order to which mail comes back is marked while its buyer may correct it", async () => {
  const { order } = await buy(shop)
  const { services } = shop
  expect(await shownEmail(services, order, PAGE)).toMatchObject({ isCorrectable: true, isUnreachable: false })
  await services.mails.suppress({ email: order.email, scope: "all", reason: "5.1.1", at: services.now() })
  expect(await shownEmail(services, order, PAGE)).toMatchObject({ isUnreachable: true })
  const proven = { ...order, emailProven: true }
  expect(await shownEmail(services, proven, PAGE)).toMatchObject({
    isCorrectable: false,
    isUnreachable: false,
  })
})
