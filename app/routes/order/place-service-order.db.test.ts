import { RouterContextProvider } from "react-router"
import { afterEach, beforeEach, expect, test } from "vitest"
import { localeContext } from "~/context/locale.server"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { emptySession, sessionContext } from "~/context/session.server"
import { locales } from "~/domain/locales"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { orderRenewal } from "../renewal/renewal-action.server"
import { orderUpsell } from "../upsell/upsell-action.server"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

/** The signed-in buyer of a plan, as the request context of one page. */
async function buyerOfPlan() {
  const { serviceId, customerId } = await buyPlan(shop, { key: "k", choices: choice })
  const context = new RouterContextProvider()
  const customer = {
    id: customerId,
    email: choice.email ?? "",
    currency: "EUR" as const,
    reach: "account" as const,
  }
  context.set(servicesContext, shop.services)
  context.set(sessionContext, { ...emptySession, customer })
  context.set(localeContext, locales[0])
  context.set(requestContext, {
    id: "r",
    at: shop.services.now(),
    address: "198.51.100.7",
    nonce: "",
    log: shop.services.log,
    rejection: null,
  })
  return { context, serviceId }
}

const forms = [
  { what: "an extra connection", post: orderUpsell, fields: { quantity: "1" } },
  { what: "a renewal", post: orderRenewal, fields: { cycles: "1" } },
]

test.each(forms)("$what sent again with another payment method is paid there", async ({ post, fields }) => {
  const { context, serviceId } = await buyerOfPlan()
  const opened = { first: shop.gateway.opened.length, second: shop.other.opened.length }
  const send = async (gateway: string) => {
    const form = new FormData()
    const sent = { ...fields, key: "form-1", serviceid: serviceId, gateway }
    for (const [name, value] of Object.entries(sent)) form.set(name, value)
    const request = new Request("https://shop.test/checkout/success", { method: "POST" })
    const thrown = await post(form, { request, context }).catch((error: unknown) => error)
    if (!(thrown instanceof Response)) throw new Error("The form was refused")
    return new URL(thrown.headers.get("Location") ?? "", request.url).host
  }
  expect(await send("offshore")).toBe("pay.test")
  expect(await send("coinbase")).toBe("coinbase.test")
  expect(shop.gateway.opened.length - opened.first).toBe(1)
  expect(shop.other.opened.length - opened.second).toBe(1)
  const orderId = context.get(sessionContext).orderId ?? ""
  expect(await shop.services.billing.order(orderId)).toMatchObject({ gateway: "coinbase" })
})
