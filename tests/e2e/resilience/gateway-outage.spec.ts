import { expect } from "playwright/test"
import { deDe } from "~/i18n/screen-texts/de-de"
import { enEn as screenTextsEn } from "~/i18n/screen-texts/en-en"
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
  // With the timeout of production: a shorter one gives up a gateway that answers, on a busy machine.
  running = await startShopWithUnreliableGateway()
})
test.afterEach(() => running.stop())

const faults = [
  { fault: "refuse", what: "refuses connections", status: 503, prefix: "", words: screenTextsEn },
  { fault: "hang", what: "does not answer", status: 503, prefix: "/de-de", words: deDe },
  { fault: "html", what: "answers with HTML", status: 502, prefix: "", words: screenTextsEn },
  {
    fault: "cut",
    what: "closes the connection during a response",
    status: 503,
    prefix: "/de-de",
    words: deDe,
  },
] as const

for (const { fault, what, status, prefix, words } of faults) {
  test(
    `while the gateway ${what}, the buyer's order is kept, and a retry succeeds`,
    deepUnless(fault === "hang"),
    async () => {
      const { shop, gateway } = running
      const review = await chooseAndPay(new Browser(), { shop, prefix })

      gateway.set(fault)
      const refused = await goToGateway(review)
      expect(refused.status).toBe(status)
      for (const part of fixedPartsOf(words.orderReview.notOpened)) expect(refused.text).toContain(part)
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

test("while the gateway does not answer, the waiting page works, and polling finds the payment later", async () => {
  const { shop, gateway } = running
  const payment = await goToGateway(await chooseAndPay(new Browser(), { shop }))
  gateway.set("hang")
  const waiting = await payAt(payment, "paid-unreported")
  expect(waiting.status).toBe(200)
  expect(waiting.text).toContain(screenTextsEn.unpaid.looking)
  gateway.set("pass")
  await waitForAccess(waiting)
  expect(readStoredRows(shop.dataDir).movements).toEqual([{ amount: 7900 }])
})

test("an entry link leads to the unpaid order, which can be replaced by another order", async () => {
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

test(
  "a gateway that repeatedly does not answer is offered last, gets few requests, and is back with its first success",
  deep,
  async () => {
    const { shop, gateway } = running
    const reviews = await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        chooseAndPay(new Browser(), { shop, email: `b${at}@example.test` }),
      ),
    )
    gateway.set("hang")
    const refused = await Promise.all(reviews.map(goToGateway))
    expect(refused.map(({ status }) => status)).toEqual(Array(5).fill(503))

    const before = gateway.requests()
    const checkout = await new Browser().visit(`${shop.url}/checkout/`)
    expect(checkout.text).toContain(enEn.checkout.gateway.troubled)
    expect(checkout.body.indexOf('value="coinbase"')).toBeLessThan(checkout.body.indexOf('value="offshore"'))
    const pressed = await Promise.all(refused.map(goToGateway))
    expect(pressed.map(({ status }) => status)).toEqual(Array(5).fill(503))
    // The circuit is open: few of the five presses are trials, one each two seconds at most.
    expect(gateway.requests() - before).toBeLessThan(5)

    gateway.set("pass")
    const [first = checkout] = pressed
    await expect(async () => expect((await goToGateway(first)).status).toBe(200)).toPass({
      timeout: 60_000,
      intervals: [200],
    })
    const others = await Promise.all(pressed.slice(1).map(goToGateway))
    expect(others.map(({ status }) => status)).toEqual(Array(4).fill(200))
    const again = await new Browser().visit(`${shop.url}/checkout/`)
    expect(again.text).not.toContain(enEn.checkout.gateway.troubled)
  },
)
