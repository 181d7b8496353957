import { afterEach, beforeEach, expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import { decodeSession } from "~/context/session-cookie.server"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

function sessionIn(response: Response) {
  const [, cookie] = response.headers
    .getSetCookie()
    .join("; ")
    .split(/(?:^|; )checkout=/)
  return cookie
    ? decodeSession(shop.services.sessionSeal, cookie.split(";", 1)[0], shop.services.now())
    : null
}

test("credits of a reseller plan that changed while the page was open are asked about on the review, which says how many there are", async () => {
  const page = await (await respond(shop.services, { path: "/resellers.data" })).text()
  const [credits = ""] = /11:\d+ 12:\d+ 13:\d+/.exec(page) ?? []
  const reseller = {
    plan: "12",
    gateway: "offshore",
    key: "form-1",
    intent: "pay",
    shown: "10900EUR",
    credits,
  }
  const asks = async (now: number) => {
    const plans = await shop.billing.billing.resellerPlans()
    const edited = plans.map((it) => (it.id === "12" ? { ...it, credits: now } : it))
    const billing = { ...shop.services.billing, resellerPlans: async () => edited }
    const services = { ...shop.services, billing }
    const customer = { id: "dora", email: "dora@example.test", currency: "EUR", reach: "account" } as const
    const proof = { how: "password", at: shop.services.now() } as const
    const session = { ...emptySession, sealedAt: shop.services.now(), customer, proof }
    const response = await respond(services, { path: "/resellers", form: reseller, session })
    expect(response.headers.get("location")).toBe("/checkout/creatingOrder")
    const review = { path: "/creatingOrder.data", session: sessionIn(response) ?? undefined }
    const shown = await (await respond(services, review)).text()
    expect(shown).toContain(`Includes ${now} credits.`)
    return shown.includes('"credits-changed"')
  }
  expect([await asks(25), await asks(20)]).toEqual([false, true])
})
