import { expect } from "playwright/test"
import { enEn as screenTexts } from "~/i18n/screen-texts/en-en"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { esEs } from "~/i18n/translations/es-es"
import { afterTheDeadline } from "../../fixtures/database-edits"
import {
  chooseAndPay,
  goToGateway,
  payAt,
  waitForAccess,
  waitForText,
} from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import type { HtmlPage } from "../../support/html/html-page"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"

/** Heading of a partly paid order, after the amount. */
const MISSING = screenTexts.unpaid.missing.split("}}")[1] ?? ""

/** Journeys of a buyer in a browser without JavaScript, by links, forms, redirects and refreshes. */
let shop: TestServer
let browser: Browser
let email: string
test.beforeEach(async ({ sharedShop }) => {
  shop = await sharedShop()
  browser = new Browser({ "user-agent": BROWSER_AGENT })
  email = uniqueEmail()
})

const gateways = ["offshore", "coinbase", "cryptomusgateway", "btcpay"]

for (const gateway of gateways) {
  test(`without JavaScript a buyer pays at ${gateway} and gets credentials`, async () => {
    await waitForAccess(await payAt(await orderAt(gateway)))
    expectPaidOnce()
  })

  test(`without JavaScript a payment at ${gateway} without a callback is found by polling`, async () => {
    const success = await waitForAccess(await payAt(await orderAt(gateway), "paid-unreported"))
    expect(success.url.pathname).toBe("/checkout/success")
    expectPaidOnce()
  })
}

test("without JavaScript the checkout leads to the open order, and paying twice records one payment", async () => {
  const payment = await order()
  const waiting = await browser.visit(`${shop.url}/checkout/`)
  expect(waiting.url.pathname).toBe("/checkout/waiting")
  const again = await waiting.follow(new RegExp(`^${shop.sandboxUrl}`))
  expect(again.url.href).toBe(payment.url.href)
  await waitForAccess(await payAt(again, "paid-twice"))
  expectPaidOnce()
})

test("without JavaScript the title of the waiting page is its heading, whatever it shows", async () => {
  await goToGateway(await chooseAndPay(browser, { shop, email }))
  const page = `${shop.url}/checkout/waiting`
  const titles = await Promise.all(
    ["", "?paid", "?gateway", "?edit", "?abort"].map(async (query) =>
      titleOf(await browser.visit(`${page}${query}`)),
    ),
  )
  const { waiting } = enEn
  expect(titles).toEqual([
    waiting.heading,
    screenTexts.unpaid.looking,
    waiting.gateway.heading,
    screenTexts.unpaid.editHeading,
    waiting.abort.heading,
  ])
})

/** The title of a page's document, without the shop's. */
function titleOf({ body }: HtmlPage): string | undefined {
  return /<title>([^<]*)<\/title>/.exec(body)?.[1]?.split(" · ")[0]?.replaceAll("&#x27;", "'")
}

test("without JavaScript a question about the order does not promise that the page updates by itself", async () => {
  await goToGateway(await chooseAndPay(browser, { shop, email }))
  const question = await browser.visit(`${shop.url}/checkout/waiting?abort`)
  expect(question.refresh).toBeNull()
  expect(question.text).not.toContain(enEn.waiting.watching)
})

test("without JavaScript the waiting page can be kept from reloading, and reloads again", async () => {
  await goToGateway(await chooseAndPay(browser, { shop, email }))
  const waiting = await browser.visit(`${shop.url}/checkout/waiting`)
  expect(waiting.refresh).not.toBeNull()
  expect(waiting.text).toContain(enEn.waiting.watching)
  const still = await waiting.follow(screenTexts.unpaid.stopReloading)
  expect(still.refresh).toBeNull()
  expect(still.text).not.toContain(enEn.waiting.watching)
  const again = await still.follow(screenTexts.unpaid.reload)
  expect(again.refresh).not.toBeNull()
})

test("without JavaScript a failed payment is reported and can be retried", async () => {
  const returned = await payAt(await order("/de-de"), "failed")
  expect([returned.url.pathname, returned.language]).toEqual(["/checkout/de-de/waiting", "de-DE"])
  const waiting = await waitForText(returned, deDe.timeline["payment-failed"])
  const payment = await waiting.submit({ button: { value: "retry" } })
  expect(payment.url.origin).toBe(shop.sandboxUrl)
  await waitForAccess(await payAt(payment))
})

test("without JavaScript changing an order opens the prefilled checkout and creates a new order", async () => {
  await goToGateway(await chooseAndPay(browser, { shop, email, plan: "1" }))
  const waiting = await browser.visit(`${shop.url}/checkout/waiting`)
  const confirmPage = await waiting.follow(/\?edit$/)
  const checkout = await confirmPage.submit({ button: { value: "edit" } })
  expect(checkout.url.pathname).toBe("/checkout/")
  expect([checkout.field("plan"), checkout.field("email")]).toEqual(["1", email])
  const review = await checkout.submit({ button: { value: "pay" }, fields: { plan: "2" } })
  await waitForAccess(await payAt(await goToGateway(review)))
  const { orders } = readStoredRows(shop.dataDir, email)
  expect(orders.map(({ status }) => status).toSorted()).toEqual(["active", "cancelled"])
})

test("without JavaScript reloading a page of the purchase changes nothing", async () => {
  await order()
  const before = readStoredRows(shop.dataDir, email)
  for (const path of ["waiting", "waiting", "creatingOrder"]) {
    const shown = await browser.visit(`${shop.url}/checkout/${path}`)
    expect([shown.url.pathname, shown.text]).toEqual([
      "/checkout/waiting",
      expect.stringContaining(before.orders[0]?.id ?? "no order"),
    ])
  }
  expect(readStoredRows(shop.dataDir, email)).toEqual(before)
})

test("without JavaScript the gateway can be changed, and a payment at either gateway counts", async () => {
  for (const paidAt of ["first", "second"]) {
    browser = new Browser({ "user-agent": BROWSER_AGENT })
    email = uniqueEmail()
    const first = await order()
    const waiting = await browser.visit(`${shop.url}/checkout/waiting`)
    const confirmPage = await waiting.follow(/\?gateway$/)
    const second = await confirmPage.submit({ button: { value: "gateway" }, fields: { gateway: "coinbase" } })
    expect(second.url.href).toMatch(new RegExp(`^${shop.sandboxUrl}/coinbase`))
    await waitForAccess(await payAt(paidAt === "first" ? first : second))
    expectPaidOnce()
  }
})

test("without JavaScript an order is cancelled after one confirmation", async () => {
  await order()
  const waiting = await browser.visit(`${shop.url}/checkout/waiting`)
  const confirmPage = await waiting.follow(/\?abort$/)
  expect(readStoredRows(shop.dataDir, email).orders[0]?.status).toBe("awaiting-payment")
  const checkout = await confirmPage.submit({ button: { value: "abort" } })
  expect(checkout.url.pathname).toBe("/checkout/")
  expect(checkout.text).toContain("Your order is cancelled. There is nothing to pay for it.")
  expect(readStoredRows(shop.dataDir, email).orders[0]?.status).toBe("cancelled")
})

test("without JavaScript an expired order can be started again with the same choices", async () => {
  const own = await startShop()
  try {
    await goToGateway(await chooseAndPay(browser, { shop: own, email, plan: "2", prefix: "/es-es" }))
    const number = readStoredRows(own.dataDir, email).orders[0]?.id ?? ""
    await afterTheDeadline(own, number)
    await expect.poll(() => readStoredRows(own.dataDir, email).orders[0]?.status).toBe("expired")
    const waiting = await browser.visit(`${own.url}/checkout/es-es/waiting`)
    expect(titleOf(waiting)).toBe(esEs.waiting.expired)
    const checkout = await waiting.submit({ button: { value: "again" } })
    expect(checkout.url.pathname).toBe("/checkout/es-es")
    expect([checkout.field("plan"), checkout.field("email")]).toEqual(["2", email])
  } finally {
    await own.stop()
  }
})

test("without JavaScript the gateway's return link opens the order in a second browser, and returns 401 in a third", async () => {
  const payment = await order()
  const [phone, third] = [
    new Browser({ "user-agent": BROWSER_AGENT }),
    new Browser({ "user-agent": BROWSER_AGENT }),
  ]
  const [, written = ""] = /href="([^"]*resume=[^"]*)"/.exec(payment.body) ?? []
  const returnPath = written.replaceAll("&amp;", "&")
  await payAt(await phone.visit(payment.url))
  await expect.poll(async () => (await phone.visit(returnPath)).text).toContain("Paid, thank you")
  const thanks = await phone.visit(returnPath)
  const success = await waitForAccess(await thanks.submit({ button: { text: "Open my order" } }))
  const [service] = readStoredRows(shop.dataDir, email).services
  expect(success.text).toContain(service?.username)

  const refused = await third.visit(returnPath)
  expect(refused.status).toBe(401)
  expect(refused.text).toContain("Paid, thank you")
  expect(refused.text).not.toContain(service?.username)
  const own = await browser.visit(`${shop.url}/checkout/waiting`)
  expect(own.text).toContain(service?.username)
})

test("without JavaScript an underpayment is completed at another gateway, and an overpayment is credited to the next order", async () => {
  const partly = await waitForText(await payAt(await order(), "less"), "€63.20 of €79.00 received")
  expect(partly.text).toContain(MISSING)
  const confirmPage = await browser.visit(`${shop.url}/checkout/waiting?gateway`)
  const rest = await confirmPage.submit({ button: { value: "gateway" }, fields: { gateway: "coinbase" } })
  expect(rest.text).toContain("15.80")
  await waitForAccess(await payAt(rest))

  email = uniqueEmail()
  await waitForAccess(
    await payAt(await goToGateway(await chooseAndPay(browser, { shop, email, plan: "1" })), "more"),
  )
  const next = await goToGateway(await chooseAndPay(browser, { shop, email, plan: "1" }))
  expect(next.text).toContain("10.80")
  await payAt(next)
  await expect
    .poll(() => readStoredRows(shop.dataDir, email).credit)
    .toEqual(expect.arrayContaining([{ amount: 120 }, { amount: -120 }]))
})

for (const gateway of ["cryptomusgateway", "btcpay"]) {
  test(`without JavaScript the remaining amount of a payment at ${gateway} is a top-up of the same payment`, async () => {
    const payment = await orderAt(gateway)
    const partly = await waitForText(await payAt(payment, "less"), "€63.20 of €79.00 received")
    const topUp = await partly.follow(new RegExp(`^${shop.sandboxUrl}`))
    expect(topUp.url.href).toBe(payment.url.href)
    expect(topUp.text).toContain("15.80")
    await waitForAccess(await payAt(topUp))
  })
}

test("without JavaScript the remaining amount at a gateway without top-ups is a new payment", async ({
  sharedShop,
}) => {
  const oneGateway = await sharedShop({ GATEWAYS: "offshore" })
  const review = await chooseAndPay(browser, { shop: oneGateway, email, prefix: "/de-de" })
  const first = await goToGateway(review)
  const received = "Was eingegangen ist, zählt"
  const partly = await waitForText(await payAt(first, "less"), received)
  expect(partly.body).not.toContain(`href="${first.url.href}"`)
  const rest = await partly.submit({ button: { value: "retry" } })
  expect(rest.url.href).not.toBe(first.url.href)
  expect(rest.text).toContain("15,80")
  await waitForAccess(await payAt(rest))
})

test("without JavaScript a partial payment of a cancelled order is credited to the next order", async () => {
  const partly = await waitForText(await payAt(await order(), "less"), "€63.20 of €79.00 received")
  const confirmPage = await partly.follow(/\?abort$/)
  expect(confirmPage.text).toContain("The €63.20 you have paid becomes account credit")
  const checkout = await confirmPage.submit({ button: { value: "abort" } })
  const review = await checkout.submit({ button: { value: "pay" }, fields: { plan: "3", email } })
  const payment = await goToGateway(review)
  expect(payment.text).toContain("15.80")
  await waitForAccess(await payAt(payment))
})

for (const [gateway, coin, address] of [
  ["btcpay", "BTC/CHAIN", /bcrt1q\w+/],
  ["cryptomusgateway", "USDT/tron", /test-tron-\w{20,}/],
] as const) {
  test(`without JavaScript ${coin} is paid to an address on the shop's own page with ${gateway}`, async () => {
    // The shop loads the coins of a gateway after the start, and no page waits for them.
    await expect
      .poll(async () => (await browser.visit(`${shop.url}/checkout/`)).body)
      .toContain(`value="${coin}"`)
    const checkout = await browser.visit(`${shop.url}/checkout/`)
    const fields = { plan: "3", email, gateway, [`coin-${gateway}`]: coin }
    const waiting = await goToGateway(await checkout.submit({ button: { value: "pay" }, fields }))
    expect(waiting.url.pathname).toBe("/checkout/waiting")
    expect(waiting.text).toMatch(address)
    const hosted = await waiting.follow(new RegExp(`^${shop.sandboxUrl}`))
    await waitForAccess(await payAt(hosted))
  })
}

test("without JavaScript an entry link prefills the checkout in the visitor's language and removes its parameters from the URL", async () => {
  const german = new Browser({ "user-agent": BROWSER_AGENT, "accept-language": "de-DE" })
  const query = `pid=2&promocode=welcome10&email=${email}&extraconnect=1&utm=x`
  const checkout = await german.visit(`${shop.url}/checkout/?${query}`)
  expect(checkout.url.href).toBe(`${shop.url}/checkout/de-de?utm=x`)
  expect([checkout.field("plan"), checkout.field("email")]).toEqual(["2", email])
  expect([checkout.field("extraConnection"), checkout.field("proxyProtection")]).toEqual(["on", null])
  expect(checkout.text).toContain("59,31")
})

test("without JavaScript an invalid promo code in an entry link shows an error, and the checkout can be submitted", async () => {
  const checkout = await browser.visit(`${shop.url}/checkout/es-es?pid=1&promocode=YEAR15`)
  expect(checkout.text).toContain("Este código")
  const review = await checkout.submit({ button: { value: "pay" }, fields: { email } })
  expect(review.url.pathname).toBe("/checkout/es-es/creatingOrder")
})

/** Orders the 12-month plan at the default gateway and returns the gateway's page. */
async function order(prefix = ""): Promise<HtmlPage> {
  return goToGateway(await chooseAndPay(browser, { shop, email, prefix }))
}

/** Orders the 12-month plan at this gateway and returns the gateway's page. */
async function orderAt(gateway: string): Promise<HtmlPage> {
  const checkout = await browser.visit(`${shop.url}/checkout/`)
  const fields = { plan: "3", email, gateway }
  const payment = await goToGateway(await checkout.submit({ button: { value: "pay" }, fields }))
  expect(payment.url.origin).toBe(shop.sandboxUrl)
  return payment
}

function expectPaidOnce(): void {
  expect(readStoredRows(shop.dataDir, email)).toMatchObject({
    orders: [{ status: "active", total: 7900, received: 7900 }],
    movements: [{ amount: 7900 }],
    services: [{ status: "Active" }],
  })
}
