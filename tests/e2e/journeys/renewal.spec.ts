import { expect } from "playwright/test"
import { DAY } from "~/domain/calendar"
import { deDe } from "~/i18n/screen-texts/de-de"
import { enEn } from "~/i18n/screen-texts/en-en"
import { esEs } from "~/i18n/screen-texts/es-es"
import { accessOn, chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { buyForPage, giveSession } from "../../fixtures/purchase-for-page"
import { type Ending, endedDaysAgo, setRenewalPrice, storedTerm } from "../../fixtures/stored-terms"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT, unfold } from "../../support/browser/page-actions"
import type { HtmlPage } from "../../support/html/html-page"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

const languages = [
  ["English", "", enEn],
  ["German", "/de-de", deDe],
  ["Spanish", "/es-es", esEs],
] as const

const MONTH = 28 * DAY
/** Text before the first placeholder. */
const startOf = (text: string) => text.split("{{")[0] ?? ""
const renewPress = { button: { value: "renew" }, fields: { cycles: "1" } }

let shop: TestServer
let browser: Browser
test.beforeEach(async ({ sharedShop }) => {
  shop = await sharedShop()
  browser = new Browser({ "user-agent": BROWSER_AGENT })
})

for (const [language, prefix, texts] of languages) {
  test(
    `with JavaScript in ${language} a service is renewed from its page, with the same login details`,
    deepUnless(prefix === ""),
    async ({ page }) => {
      const username = await buyForPage(page, shop, { prefix, plan: "1" })
      const before = storedTerm(shop.dataDir, username)
      await expect(page.locator(".until")).toBeVisible()
      await expect(page.locator("#renewal")).toContainText(startOf(texts.renewal.until))
      await (await unfold(page, 'input[name="cycles"][value="3"]')).check({ force: true })
      await page.locator('button[value="renew"]').click()
      await page.waitForURL((url) => url.origin === shop.sandboxUrl)
      await page.locator('button[value="paid"]').click()
      await expect(page.locator("h1")).toContainText(startOf(texts.renewal.renewed), { timeout: 20_000 })
      await expect(page.locator("main")).toContainText(texts.renewal.sameDetails)
      // The heading names the date.
      await expect(page.locator(".until")).toHaveCount(0)
      const after = storedTerm(shop.dataDir, username)
      expect(after.paid_until).toBeGreaterThan(before.paid_until + 3 * MONTH)
      expect(after).toMatchObject({ status: "Active", password: before.password })
    },
  )

  test(
    `without JavaScript in ${language} a service is renewed, and the waiting page says until when`,
    deepUnless(prefix === "/de-de"),
    async () => {
      const bought = await buy(prefix)
      const username = nameOn(bought)
      const before = storedTerm(shop.dataDir, username).paid_until
      expect(bought.text).toContain(startOf(texts.renewal.until))
      const gateway = await bought.submit(renewPress)
      expect(gateway.url.origin).toBe(shop.sandboxUrl)
      const waiting = await browser.visit(`${shop.url}/checkout${prefix}/waiting`)
      expect(waiting.text).toContain(startOf(texts.renewal.waiting).trim())
      const renewed = await payAt(gateway)
      expect(renewed.text).toContain(startOf(texts.renewal.renewed))
      expect(accessOn(renewed)?.username).toBe(username)
      expect(storedTerm(shop.dataDir, username).paid_until).toBeGreaterThan(before + MONTH)
    },
  )
}

const endings: readonly [string, number, Ending, string, "gapless" | "anew"][] = [
  ["one day after its end", 1, "kept", startOf(enEn.renewal.grace), "gapless"],
  ["while it is suspended", 6, "Suspended", enEn.place.paused, "anew"],
  ["after it has ended", 25, "Terminated", enEn.place.ended, "anew"],
]

for (const [when, days, ending, message, start] of endings) {
  test(`without JavaScript a service is renewed ${when}, and the page says before what happens`, async () => {
    const bought = await buy()
    const username = nameOn(bought)
    endedDaysAgo(shop.dataDir, username, { days, ending })
    const before = storedTerm(shop.dataDir, username)
    const ended = await browser.visit(`${shop.url}/checkout/success?services`)
    expect(ended.text).toContain(message)
    const paidAt = Date.now()
    await payAt(await ended.submit(renewPress))
    const from = start === "gapless" ? before.paid_until : paidAt
    const { paid_until: until, password } = storedTerm(shop.dataDir, username)
    expect(until).toBeGreaterThan(from + MONTH - DAY)
    expect(until).toBeLessThan(from + 32 * DAY)
    expect(password).toBe(before.password)
    await expect.poll(() => storedTerm(shop.dataDir, username).status).toBe("Active")
    const shown = await waitForAccess(await browser.visit(`${shop.url}/checkout/success?services`))
    expect(accessOn(shown)?.username).toBe(username)
  })
}

test("a form that is sent twice is one order, Back leads to the same payment, and a second order is a second term", async () => {
  const bought = await buy()
  const username = nameOn(bought)
  const before = storedTerm(shop.dataDir, username).paid_until
  const [first, second] = await Promise.all([bought.submit(renewPress), bought.submit(renewPress)])
  expect(second.url.href).toBe(first.url.href)
  const back = await browser.visit(`${shop.url}/checkout/success?services`)
  const again = await back.submit(renewPress)
  expect(again.url.href).toBe(first.url.href)
  await payAt(again, "paid-twice")
  await expect.poll(() => storedTerm(shop.dataDir, username).paid_until).toBeGreaterThan(before)
  const once = storedTerm(shop.dataDir, username).paid_until
  expect(once).toBeLessThan(before + 32 * DAY)
  const next = await browser.visit(`${shop.url}/checkout/success?services`)
  await payAt(await next.submit(renewPress))
  const twice = storedTerm(shop.dataDir, username).paid_until
  expect(twice).toBeGreaterThan(once + MONTH - DAY)
  expect(twice).toBeLessThan(once + 32 * DAY)
})

test("without JavaScript two services are renewed in one payment, each from its own end", async () => {
  const { page, names, before } = await buyTwo()
  const other = page.body.match(/name="also"[^>]*value="([^"]+)"|value="([^"]+)"[^>]*name="also"/)
  const also = other?.[1] ?? other?.[2] ?? "no other service"
  const updated = await page.submit({ button: { value: "renew-update" }, fields: { cycles: "1", also } })
  expect(updated.text).toContain(enEn.renewal.also)
  const gateway = await updated.submit({ button: { value: "renew" }, fields: { cycles: "1", also } })
  const waiting = await browser.visit(`${shop.url}/checkout/waiting`)
  expect(waiting.text.split(startOf(enEn.renewal.waiting).trim()).length - 1).toBe(2)
  await payAt(gateway)
  for (const [index, name] of names.entries()) expectOneMonthMore(name, before[index])
})

test("with JavaScript two services are renewed in one payment, and the total is that of both", async ({
  page,
}) => {
  const { names, before } = await buyTwo()
  await giveSession(page, shop, browser)
  await page.goto(`${shop.url}/checkout/success?services`)
  const also = await unfold(page, 'input[name="also"]')
  const total = page.locator("#renewal .total output")
  const alone = await total.textContent()
  await also.check({ force: true })
  await expect(total).not.toHaveText(alone ?? "")
  await page.locator('button[value="renew"]').click()
  await page.waitForURL((url) => url.origin === shop.sandboxUrl)
  await page.locator('button[value="paid"]').click()
  await expect(page.locator("h1")).toContainText(startOf(enEn.renewal.renewed), { timeout: 20_000 })
  for (const [index, name] of names.entries()) expectOneMonthMore(name, before[index])
})

/** Buys a plan twice in one browser, under one e-mail. */
async function buyTwo() {
  const email = uniqueEmail("two")
  const first = nameOn(await buy("", email))
  const page = await buy("", email)
  const names = [first, nameOn(page)]
  return { page, names, before: names.map((name) => storedTerm(shop.dataDir, name).paid_until) }
}

function expectOneMonthMore(username: string, before = 0): void {
  const { paid_until: until } = storedTerm(shop.dataDir, username)
  expect(until).toBeGreaterThan(before + MONTH - DAY)
  expect(until).toBeLessThan(before + 32 * DAY)
}

test("a renewal that is paid in part waits for the rest", async () => {
  const bought = await buy()
  const username = nameOn(bought)
  const before = storedTerm(shop.dataDir, username).paid_until
  await payAt(await bought.submit(renewPress), "less")
  expect(storedTerm(shop.dataDir, username).paid_until).toBe(before)
  const waiting = await browser.visit(`${shop.url}/checkout/waiting`)
  const rest = await waiting.submit({ button: { value: "retry" } })
  await payAt(rest)
  expect(storedTerm(shop.dataDir, username).paid_until).toBeGreaterThan(before + MONTH - DAY)
})

test("a customer who does not want to renew says why, is told until when it runs, and takes it back", async () => {
  const bought = await buy()
  const declined = await bought.submit({ button: { value: "decline" }, fields: { reason: "price" } })
  expect(declined.text).toContain(startOf(enEn.renewal.declined))
  const back = await declined.submit({ button: { value: "undecline" } })
  expect(back.text).not.toContain(startOf(enEn.renewal.declined))
})

test("a lower price of the catalogue is taken with one press", async () => {
  const bought = await buy()
  const username = nameOn(bought)
  setRenewalPrice(shop.dataDir, username, 99_00)
  const dear = await browser.visit(`${shop.url}/checkout/success?services`)
  expect(dear.text).toContain("€99.00")
  const lower = await dear.submit({ button: { value: "lower-price" } })
  expect(lower.text).not.toContain("€99.00")
})

async function buy(prefix = "", email = uniqueEmail("renews")): Promise<HtmlPage> {
  const chosen = await chooseAndPay(browser, { shop, prefix, plan: "1", email })
  return waitForAccess(await payAt(await goToGateway(chosen)))
}

function nameOn(page: HtmlPage): string {
  return accessOn(page)?.username ?? "no username"
}
