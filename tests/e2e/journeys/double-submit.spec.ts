import { expect } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { everyBackend } from "../tags"

let shop: TestServer
let email: string
test.beforeEach(async ({ sharedShop }) => {
  shop = await sharedShop()
  email = uniqueEmail()
})

test("ten concurrent submissions of the review step create one order and one payment attempt", async () => {
  const review = await chooseAndPay(new Browser(), { shop, email })
  const pages = await Promise.all(Array.from({ length: 10 }, () => goToGateway(review)))
  expect(new Set(pages.map(({ url }) => url.origin))).toEqual(new Set([shop.sandboxUrl]))
  expectOnePayment(pages.map(({ url }) => url.href))
})

test("two tabs with the same choices create one order and one payment attempt", async () => {
  const browser = new Browser()
  const tabs = [await chooseAndPay(browser, { shop, email }), await chooseAndPay(browser, { shop, email })]
  const pages = await Promise.all(tabs.map(goToGateway))
  expectOnePayment(pages.map(({ url }) => url.href))
})

test("a review step with outdated choices gets 409 and is confirmed before it orders", async () => {
  const browser = new Browser()
  const older = await chooseAndPay(browser, { shop, email, plan: "1" })
  await chooseAndPay(browser, { shop, email, plan: "3" })
  const confirmPage = await goToGateway(older)
  expect(confirmPage.status).toBe(409)
  expect(confirmPage.field("total")).toBe("7900")
  expectOnePayment([(await goToGateway(confirmPage)).url.href])
})

test("resubmitting old forms after the order was created leads to its payment and creates no order", async () => {
  const browser = new Browser()
  const checkout = await browser.visit(`${shop.url}/checkout/`)
  const review = await chooseAndPay(browser, { shop, email })
  const payment = await goToGateway(review)

  for (const press of [
    () => checkout.submit({ button: { value: "pay" }, fields: { plan: "3", email } }),
    () => review.submit({ having: "draft" }),
  ]) {
    const waiting = await press()
    expect(waiting.url.pathname).toBe("/checkout/waiting")
    const link = await waiting.follow(new RegExp(`^${shop.sandboxUrl}`))
    expectOnePayment([payment.url.href, link.url.href])
  }
})

test(
  "a payment submitted twice is recorded once, and resubmitting the review step creates no second order",
  everyBackend,
  async () => {
    const review = await chooseAndPay(new Browser(), { shop, email })
    const payment = await goToGateway(review)
    const [first] = await Promise.all([payAt(payment, "paid-twice"), payAt(payment)])
    await waitForAccess(first)
    const again = await goToGateway(review)
    expect(again.url.origin).toBe(shop.url)
    expect(readStoredRows(shop.dataDir, email)).toMatchObject({
      orders: [{ status: "active", total: 7900, received: 7900 }],
      movements: [{ amount: 7900 }],
      services: [{ status: "Active" }],
    })
  },
)

function expectOnePayment(links: string[]) {
  const { orders, attempts } = readStoredRows(shop.dataDir, email)
  expect(orders).toHaveLength(1)
  expect(attempts).toHaveLength(1)
  expect(new Set(links)).toEqual(new Set([attempts[0]?.url]))
}
