import { afterEach, beforeEach, expect, test } from "vitest"
import type { CheckoutSession } from "~/context/session.server"
import { decodeSession } from "~/context/session-cookie.server"
import { GatewayError } from "~/gateways/gateway"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

async function post(path: string, form: Record<string, string>, session: Partial<CheckoutSession>) {
  const response = await respond(shop.services, { path, form, session })
  const [cookie = ""] = response.headers.getSetCookie().filter((it) => it.startsWith("checkout="))
  const value = decodeURIComponent(cookie.slice("checkout=".length).split(";", 1)[0] ?? "")
  const { sessionSeal, now } = shop.services
  return {
    location: response.headers.get("location"),
    session: decodeSession(sessionSeal, value, now()) ?? session,
  }
}

test("a renewal whose payment could not be opened is paid from a browser with a draft of the checkout", async () => {
  const { serviceId } = await buyPlan(shop)
  const gateway = shop.services.gateways.get("offshore")
  if (!gateway) throw new Error("No gateway")
  const { startPayment } = gateway
  gateway.startPayment = async () => {
    throw new GatewayError("unavailable", "away")
  }
  const draft = { key: "draft-2", total: TOTAL }
  const session = { id: "s1", choices: choice, draft, serviceIds: [serviceId], sealedAt: shop.services.now() }
  const form = { intent: "renew", key: "renewal-1", cycles: "1", gateway: "offshore", serviceid: serviceId }
  const placed = await post("/success", form, session)
  expect(placed.location).toBe("/checkout/creatingOrder")
  gateway.startPayment = startPayment
  const page = await (
    await respond(shop.services, { path: "/creatingOrder.data", session: placed.session })
  ).text()
  // The review is that of the renewal.
  expect(page).not.toContain(draft.key)
  const reviewed = { draft: placed.session.orderId ?? "", total: String(TOTAL) }
  const { location } = await post("/creatingOrder", reviewed, placed.session)
  expect(location).toMatch(/^https:\/\/pay\.test/)
})
