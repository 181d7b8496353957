import { afterEach, beforeEach, expect, test } from "vitest"
import type { CheckoutSession } from "~/context/session.server"
import { decodeSession } from "~/context/session-cookie.server"
import { SECOND } from "~/domain/calendar"
import { enEn } from "~/i18n/screen-texts/en-en"
import { buy, buyPlan } from "../../../tests/fixtures/purchase"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

const { cancelled } = enEn.notice

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

type Session = Partial<CheckoutSession>

function sessionAfter({ headers }: Response): Session {
  const cookie = headers.getSetCookie().find((it) => it.startsWith("checkout=")) ?? ""
  const sealed = decodeURIComponent(cookie.slice("checkout=".length).split(";", 1)[0] ?? "")
  return decodeSession(shop.services.sessionSeal, sealed, shop.services.now())
}

/** Cancels the order of a session and follows to the page that the buyer reads then. */
async function cancel(session: Session) {
  const { services } = shop
  const posted = await respond(services, { path: "/waiting", form: { intent: "abort" }, session })
  const location = posted.headers.get("location") ?? ""
  const path = location.replace("/checkout/?", "/_root?").replace("/checkout", "").replace("?", ".data?")
  const page = await respond(services, { path, session: sessionAfter(posted) })
  return { location, page: await page.text() }
}

const browser = (changes: Session) => ({ id: "browser", sealedAt: shop.services.now(), ...changes })

test("a buyer who cancels an unpaid order reads on the checkout that it is cancelled", async () => {
  const { order } = await buy(shop)
  const { location, page } = await cancel(browser({ orderId: order.id, serviceIds: [order.serviceId] }))
  expect(location).toBe("/checkout/?cancelled=unpaid")
  expect(page).toContain(cancelled.unpaid)
})

test.each([
  ["is account credit now", false, cancelled.credited],
  ["is recorded by the billing server that has the money", true, cancelled.recorded],
])("a buyer who cancels an order that was paid in part reads that this %s", async (_, isExternal, text) => {
  const { order } = await buy(shop)
  shop.gateway.reports("partially-paid", 60_00)
  shop.wait(5 * SECOND)
  if (isExternal) {
    const { applyOrderEvent } = shop.services.billing
    const uncredited: typeof applyOrderEvent = async (...args) => {
      const given = await applyOrderEvent(...args)
      return given && { ...given, credited: { minor: 0, currency: "EUR" } }
    }
    Object.assign(shop.services.billing, { applyOrderEvent: uncredited })
  }
  const { page } = await cancel(browser({ orderId: order.id, serviceIds: [order.serviceId] }))
  expect(page).toContain(text)
})

test("a buyer who cancels a renewal reads so on the page of the service", async () => {
  const { id, serviceId } = await buyPlan(shop)
  const session = browser({ orderId: id, serviceId, serviceIds: [serviceId] })
  const renewal = { intent: "renew", key: "renewal", cycles: "1", gateway: "offshore", serviceid: serviceId }
  const posted = await respond(shop.services, { path: "/success", form: renewal, session })
  expect(posted.headers.get("location")).toMatch(/^https:/)
  const { location, page } = await cancel(sessionAfter(posted))
  expect(location).toBe("/checkout/success?cancelled=unpaid")
  expect(page).toContain(cancelled.unpaid)
})

test("a buyer who has bought since does not read on that page that the order is cancelled", async () => {
  const { id, serviceId } = await buyPlan(shop)
  const session = browser({ orderId: id, serviceIds: [serviceId] })
  for (const path of ["/_root.data?cancelled=unpaid", "/success.data?cancelled=unpaid"]) {
    const page = await respond(shop.services, { path, session })
    expect(page.status).toBe(200)
    expect(await page.text()).not.toContain(cancelled.unpaid)
  }
})

test("nothing is said to a browser without an order", async () => {
  const { page } = await cancel(browser({ orderId: null }))
  expect(page).not.toContain(cancelled.unpaid)
})
