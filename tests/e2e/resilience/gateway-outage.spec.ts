import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { type ShopAndGateway, startShopWithUnreliableGateway } from "../../fakes/faulty-gateway"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { Browser } from "../../support/browser/no-script-browser"
import { errorLinesOf, fixedPartsOf } from "../../support/server/logged-errors"
import { test } from "../shop-test"
import { deep, deepUnless } from "../tags"

let running: ShopAndGateway
test.beforeEach(async () => {
  running = await startShopWithUnreliableGateway({ UPSTREAM_TIMEOUT_MS: "700" })
})
test.afterEach(() => running.stop())

const faults = [
  { fault: "refuse", what: "refuses connections", status: 503, prefix: "", translation: enEn },
  { fault: "hang", what: "does not answer", status: 503, prefix: "/de-de", translation: deDe },
  { fault: "html", what: "answers with a page", status: 502, prefix: "", translation: enEn },
  { fault: "cut", what: "breaks off its answer", status: 503, prefix: "/de-de", translation: deDe },
] as const

for (const { fault, what, status, prefix, translation } of faults) {
  test(
    `while the gateway ${what}, the buyer reads that his order is kept, and the next try works`,
    deepUnless(fault === "hang"),
    async () => {
      const { shop, gateway } = running
      const review = await chooseAndPay(new Browser(), { shop, prefix })

      gateway.set(fault)
      const refused = await goToGateway(review)
      expect(refused.status).toBe(status)
      for (const part of fixedPartsOf(translation.review["payment-not-opened"]))
        expect(refused.text).toContain(part)
      const [order] = readStoredRows(shop.dataDir).orders
      expect(refused.text).toContain(order?.id)
      expect(await errorLinesOf(shop, refused)).toHaveLength(1)
      const reloaded = await refused.follow("Boxoffice")
      expect(reloaded.url.pathname).toBe(`/checkout${prefix}/creatingOrder`)
      expect(reloaded.text).toContain(order?.id)

      gateway.set("pass")
      const payment = await goToGateway(refused)
      expect(payment.url.origin).toBe(shop.sandboxUrl)
      await waitForAccess(await payAt(payment))
      expect(readStoredRows(shop.dataDir)).toMatchObject({
        orders: [{ id: order?.id, status: "active", total: 7900, received: 7900 }],
        movements: [{ amount: 7900 }],
        services: [{ status: "Active" }],
      })
    },
  )
}

test("while the gateway does not answer, the waiting page still does, and the payment is found later", async () => {
  const { shop, gateway } = running
  const payment = await goToGateway(await chooseAndPay(new Browser(), { shop }))
  gateway.set("hang")
  const waiting = await payAt(payment, "paid-unreported")
  expect(waiting.status).toBe(200)
  expect(waiting.text).toContain(enEn.waiting.heading)
  gateway.set("pass")
  await waitForAccess(waiting)
  expect(readStoredRows(shop.dataDir).movements).toEqual([{ amount: 7900 }])
})

test("an order that could not be paid is left for another, whatever link led back to the shop", async () => {
  const { shop, gateway } = running
  const browser = new Browser()
  gateway.set("refuse")
  await goToGateway(await chooseAndPay(browser, { shop }))

  const led = await browser.visit(`${shop.url}/checkout/?pid=1`)
  expect(led.url.pathname).toBe("/checkout/creatingOrder")
  expect(led.status).toBe(200)
  const checkout = await led.submit({ button: { value: "edit" } })
  expect(checkout.url.pathname).toBe("/checkout/")

  gateway.set("pass")
  const review = await checkout.submit({ button: { value: "pay" }, fields: { email: "ana@example.test" } })
  await waitForAccess(await payAt(await goToGateway(review)))
  const { orders } = readStoredRows(shop.dataDir)
  expect(orders.map(({ status, received }) => [status, received]).sort()).toEqual([
    ["active", 1200],
    ["cancelled", 0],
  ])
})

test("a gateway that does not answer again and again is offered last, and slows nothing", deep, async () => {
  const { shop, gateway } = running
  const reviews = await Promise.all(
    Array.from({ length: 5 }, (_, at) => chooseAndPay(new Browser(), { shop, email: `b${at}@example.test` })),
  )
  gateway.set("hang")
  const refused = await Promise.all(reviews.map(goToGateway))
  expect(refused.map(({ status }) => status)).toEqual(Array(5).fill(503))

  const before = gateway.requests()
  const checkout = await new Browser().visit(`${shop.url}/checkout/`)
  expect(checkout.text).toContain(enEn.checkout.gateway.troubled)
  expect(checkout.body.indexOf('value="coinbase"')).toBeLessThan(checkout.body.indexOf('value="offshore"'))
  const [first] = refused
  expect((await goToGateway(first ?? checkout)).status).toBe(503)
  // Nothing waits for the gateway, because nothing is sent to it.
  expect(gateway.requests()).toBe(before)
})
