import { expect } from "playwright/test"
import { enEn as screenTexts } from "~/i18n/screen-texts/en-en"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { esEs } from "~/i18n/translations/es-es"
import type { Whmcs } from "../../fakes/whmcs-simulator/start"
import { callsTo, client } from "../../fakes/whmcs-simulator/test-client"
import {
  chooseAndPay,
  goToGateway,
  payAt,
  waitForAccess,
  waitForText,
} from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import { startOnWhmcs, type TestServer } from "../start-shop"
import { deep, deepUnless } from "../tags"

let shop: TestServer
let whmcs: Whmcs
test.beforeAll(async () => {
  const started = await startOnWhmcs({ env: { BILLING_TIMEOUT_MS: "1000" } })
  shop = started.shop
  whmcs = started.whmcs
})
test.afterAll(() => shop.stop())
test.afterEach(() => whmcs.quirks.reset())

const ordersOf = (email: string) => {
  const client = whmcs.clients.find((it) => it.email === email)
  return whmcs.orders.filter(({ clientId }) => clientId === client?.id)
}

test("an order whose AddOrder response is lost is created once in WHMCS, paid and provisioned", async () => {
  const email = "lost@example.test"
  const review = await chooseAndPay(new Browser(), { shop, email })
  whmcs.quirks.dropResponse("AddOrder")
  const checking = await goToGateway(review)
  expect([checking.status, checking.text]).toEqual([
    200,
    expect.stringContaining(screenTexts.pending.heading),
  ])

  const payment = await goToGateway(await waitForText(checking, screenTexts.buying.heading))
  await waitForAccess(await payAt(payment))
  expect(ordersOf(email)).toHaveLength(1)
  const [order] = ordersOf(email)
  expect(whmcs.transactions.filter(({ invoiceId }) => invoiceId === order?.invoiceId)).toHaveLength(1)
  expect(whmcs.invoices.find(({ id }) => id === order?.invoiceId)?.status).toBe("Paid")
})

for (const { prefix, translation } of [
  { prefix: "", translation: enEn },
  { prefix: "/es-es", translation: esEs },
]) {
  const title = `while WHMCS is unavailable the checkout at "${prefix}/" shows a notice, and ordering resumes automatically`
  test(title, deepUnless(prefix === ""), async () => {
    const address = `${shop.url}/checkout${prefix}`
    const browser = new Browser()
    const before = await browser.visit(address)
    expect(before.text).not.toContain(translation.checkout.paused)

    whmcs.quirks.down = true
    const refused = await chooseAndPay(browser, { shop, prefix, email: "away@example.test" })
    expect(refused.status).toBe(503)
    expect(refused.text).toContain(translation.checkout.paused)
    expect(refused.field("email")).toBe("away@example.test")
    const again = await refused.submit({ button: { text: translation.error.retry } })
    expect([again.status, again.field("email")]).toEqual([200, "away@example.test"])
    expect(() => again.submit({ button: { value: "pay" } })).toThrow("No button")
    await expect(async () => {
      const shown = await new Browser().visit(address)
      expect([shown.status, shown.field("plan")]).toEqual([200, "3"])
      expect(shown.text).toContain(translation.checkout.paused)
    }).toPass({ timeout: 20_000 })

    whmcs.quirks.down = false
    await expect(async () => {
      expect((await new Browser().visit(address)).text).not.toContain(translation.checkout.paused)
    }).toPass({ timeout: 20_000 })
    const email = `back${prefix.length}@example.test`
    await waitForAccess(await payAt(await goToGateway(await chooseAndPay(browser, { shop, prefix, email }))))
    expect(ordersOf(email)).toHaveLength(1)
  })
}

test("a buyer sees the tax of the WHMCS invoice while waiting and on the receipt", async () => {
  whmcs.quirks.tax = { rates: [19, 0], type: "Inclusive" }
  const browser = new Browser()
  const review = await chooseAndPay(browser, { shop, email: "taxed@example.test" })
  expect(review.text).not.toContain("VAT")
  const payment = await goToGateway(review)
  const waiting = await browser.visit(`${shop.url}/checkout/waiting`)
  const tax = "incl. 19% VAT €12.61"
  expect(waiting.text.replaceAll("\u00a0", " ")).toContain(tax)
  const success = await waitForAccess(await payAt(payment))
  expect(success.text.replaceAll("\u00a0", " ")).toContain(tax)
  const [bought] = ordersOf("taxed@example.test")
  expect(success.text).toMatch(new RegExp(`Order \\w+ Invoice ${bought?.invoiceId} `))
})

/** Emails that cannot order at WHMCS, with the change of their client; null: they have no client. */
const rejected = [
  { why: "a closed client", email: "closed@example.test", change: { status: "Closed" } },
  { why: "a client who pays in złoty", email: "zloty@example.test", change: { currency: "PLN" } },
  { why: "a barred email", email: "barred@blocked.example.test", change: null },
] as const

async function reject({ email, change }: (typeof rejected)[number]) {
  whmcs.quirks.bannedEmails = /@blocked\.example\.test$/
  if (change === null) return
  const isKnown = whmcs.clients.some((it) => it.email === email)
  if (!isKnown) await client(callsTo(whmcs).call, { email })
  Object.assign(whmcs.clients.find((it) => it.email === email) ?? {}, change)
}

for (const it of rejected) {
  for (const { prefix, translation } of [
    { prefix: "", translation: enEn },
    { prefix: "/de-de", translation: deDe },
  ]) {
    const text = translation.review["email-rejected"]

    test(
      `without JavaScript ${it.why} is rejected in words at "${prefix}/", and another email can order`,
      deepUnless(prefix === "/de-de"),
      async () => {
        await reject(it)
        const { email } = it
        const response = await goToGateway(await chooseAndPay(new Browser(), { shop, prefix, email }))
        expect(response.status).toBe(409)
        expect(response.text).toContain(text)
        expect(ordersOf(email)).toEqual([])

        const checkout = await response.follow(translation.review.change)
        expect(checkout.field("email")).toBe(email)
        const other = `other-${prefix.length}-${email.replace("blocked.", "")}`
        await goToGateway(await checkout.submit({ button: { value: "pay" }, fields: { email: other } }))
        expect(ordersOf(other)).toHaveLength(1)
      },
    )

    test(
      `with JavaScript ${it.why} is rejected in words at "${prefix}/"`,
      deepUnless(prefix === ""),
      async ({ page }) => {
        await reject(it)
        await page.goto(`${shop.url}/checkout${prefix}`)
        await page.locator("[name=email]").fill(it.email)
        const response = page.waitForResponse((response) => response.status() === 409)
        await page.locator('button.main[value="pay"]:visible').first().click()
        await response
        await expect(page.getByRole("alert")).toHaveText(text)
        expect(ordersOf(it.email)).toEqual([])
      },
    )
  }
}

test("an order paid while WHMCS is unavailable is provisioned afterwards", deep, async () => {
  const email = "later@example.test"
  const payment = await goToGateway(await chooseAndPay(new Browser(), { shop, email }))
  whmcs.quirks.down = true
  const paid = await payAt(payment)
  expect(paid.url.pathname).toMatch(/\/(waiting|success)$/)
  whmcs.quirks.down = false
  await waitForAccess(paid)
  const [order] = ordersOf(email)
  expect(whmcs.services.find(({ orderId }) => orderId === order?.id)?.status).toBe("Active")
})

test("an existing WHMCS client sees the price in the client's currency before paying", async () => {
  const email = "pounds@example.test"
  await client(callsTo(whmcs).call, { email, currency: 2 })
  const changed = await goToGateway(await chooseAndPay(new Browser(), { shop, email }))
  expect(changed.status).toBe(409)
  expect(changed.text).toContain(enEn.review["price-changed"])
  expect(changed.text).toContain("£69.00")
  const payment = await goToGateway(changed)
  expect(payment.text).toContain("£69.00")
})

for (const { limits, text } of [
  { limits: { oncePerClient: true }, text: enEn.review["code-used"] },
  { limits: { newSignups: true }, text: screenTexts.orderReview.codeRefused },
]) {
  const limit = Object.keys(limits).join()
  test(`a code that WHMCS does not take from a client (${limit}) is left out, and the order can be placed without it`, async () => {
    const promotion = whmcs.promotions.find(({ code }) => code === "WELCOME10")
    Object.assign(promotion ?? {}, { oncePerClient: false, newSignups: false }, limits)
    const email = `${limit.toLowerCase()}@example.test`
    const review = async () => {
      const checkout = await new Browser().visit(`${shop.url}/checkout/`)
      const fields = { plan: "3", email, promoCode: "WELCOME10" }
      return checkout.submit({ button: { value: "pay" }, fields })
    }
    expect((await goToGateway(await review())).text).toContain("€71.10")

    const refused = await goToGateway(await review())
    expect(refused.status).toBe(409)
    expect(refused.text).toContain(text)
    expect((await goToGateway(refused)).text).toContain("€79.00")
    Object.assign(promotion ?? {}, { oncePerClient: false, newSignups: false })
    expect(ordersOf(email).map(({ status }) => status)).toEqual(["Pending", "Cancelled", "Pending"])
  })
}
