import { expect, type Page } from "playwright/test"
import { CORRECT_EMAIL } from "~/domain/orders/screen-paths"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { buyForPage, giveSession, orderForPage } from "../../fixtures/purchase-for-page"
import { uniqueEmail } from "../../fixtures/unique-email"
import { hasLaterStyle, laterRulesOn } from "../../support/browser/later-style"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT, scriptRuns, typePromoCode } from "../../support/browser/page-actions"
import { compressedPage, FIRST_FLIGHT } from "../../support/http/first-flight"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

// A service worker would answer for the style sheet from its cache.
test.use({ userAgent: BROWSER_AGENT, serviceWorkers: "block" })

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

test("the checkout needs no rule of the style that comes after its first paint", async ({ page }) => {
  await page.goto(`${shop.url}/checkout/`)
  expect(await laterRulesOn(page)).toEqual([])
  await typePromoCode(page, "UNKNOWN")
  await page.locator('button[value="apply-promo"]').click()
  await expect(page.locator("[name=promoCode]")).toHaveAttribute("aria-invalid", "true")
  expect(await laterRulesOn(page)).toEqual([])
  await page.locator('button.main[value="pay"]:visible').first().click()
  await expect(page.locator("[name=email]")).toHaveAttribute("aria-invalid", "true")
  expect(await laterRulesOn(page)).toEqual([])
})

test("the styles name widths as Safari before 16.4 reads them", async ({ request }) => {
  const page = await (await request.get(`${shop.url}/checkout/`)).text()
  const later = /"([^"]+\/later-[\w-]+\.css)"/.exec(page)?.[1] ?? "no later style"
  const style = await (await request.get(new URL(later, shop.url).href)).text()
  const queries = `${page}${style}`.match(/@media[^{]+/g) ?? []
  expect(queries).toContain("@media (max-width:699px)")
  expect(queries.filter((it) => /[<>]/.test(it))).toEqual([])
})

test("neither does the checkout of a customer with a service", async ({ page }) => {
  await buyForPage(page, shop, { email: uniqueEmail() })
  await page.goto(`${shop.url}/checkout/`)
  expect(await laterRulesOn(page)).toEqual([])
})

test("neither does the review of an order", async ({ page }) => {
  const buyer = new Browser({ "user-agent": BROWSER_AGENT })
  const review = await chooseAndPay(buyer, { shop })
  await giveSession(page, shop, buyer)
  // Otherwise the page orders by itself, and is left.
  await page.addInitScript(() => {
    HTMLFormElement.prototype.requestSubmit = () => {}
  })
  await page.goto(review.url.href)
  expect(await laterRulesOn(page)).toEqual([])
})

/** What the waiting page shows in each of its states, so that a state which is ignored is noticed. */
const waitingStates = [
  ["", ".qr svg"],
  ["?gateway", 'input[name="gateway"]'],
  ["?edit", 'button[value="edit"]'],
  ["?abort", 'button[value="abort"]'],
  ["?another", 'button[value="another"]'],
  ["?paid", 'a.main.button[href*="?paid"]'],
  [`?${CORRECT_EMAIL}`, 'input[name="email"]'],
] as const

test("neither does the waiting page, whatever it asks, nor when a part is paid", async ({ page }) => {
  const gateway = await orderForPage(page, shop, { email: uniqueEmail() })
  for (const [state, shown] of waitingStates) {
    await page.goto(`${shop.url}/checkout/waiting${state}`)
    await expect(page.locator(shown).first()).toBeAttached()
    expect({ state, rules: await laterRulesOn(page) }).toEqual({ state, rules: [] })
  }
  await page.goto(gateway)
  await page.locator('button[name="outcome"][value="less"]').click()
  await page.waitForURL(/\/checkout\/waiting/)
  await expect(page.locator("h1")).toContainText("missing")
  expect(await laterRulesOn(page)).toEqual([])
})

test("neither does the waiting page of a renewal, which says until when it runs", async ({ page }) => {
  const buyer = new Browser({ "user-agent": BROWSER_AGENT })
  const service = await waitForAccess(await payAt(await goToGateway(await chooseAndPay(buyer, { shop }))))
  await payAt(await service.submit({ button: { value: "renew" }, fields: { cycles: "1" } }), "abandoned")
  await giveSession(page, shop, buyer)
  await page.goto(`${shop.url}/checkout/waiting`)
  await expect(page.locator(".notice").first()).toBeVisible()
  expect(await laterRulesOn(page)).toEqual([])
})

test("nor when a coin is sent from the shop's own page", async ({ page }) => {
  const buyer = new Browser({ "user-agent": BROWSER_AGENT })
  const checkout = await buyer.visit(`${shop.url}/checkout/`)
  const fields = { plan: "3", email: uniqueEmail(), gateway: "btcpay", "coin-btcpay": "BTC/CHAIN" }
  await (await checkout.submit({ button: { value: "pay" }, fields })).submit({ having: "draft" })
  await giveSession(page, shop, buyer)
  await page.goto(`${shop.url}/checkout/waiting`)
  await expect(page.locator("main code").first()).toBeVisible()
  expect(await laterRulesOn(page)).toEqual([])
  await page.goto((await page.locator(`a[href^="${shop.sandboxUrl}"]`).first().getAttribute("href")) ?? "")
  await page.locator('button[name="outcome"][value="processing"]').click()
  await page.goto(`${shop.url}/checkout/waiting`)
  await expect(page.locator(".notice").first()).toBeVisible()
  expect(await laterRulesOn(page)).toEqual([])
})

test("each page that a new buyer meets until the payment fits into the first flight", async () => {
  const buyer = new Browser({ "user-agent": BROWSER_AGENT })
  const checkout = await buyer.visit(`${shop.url}/checkout/`)
  const fields = { plan: "3", email: uniqueEmail() }
  const review = await checkout.submit({ button: { value: "pay" }, fields })
  const cookie = () => buyer.cookies(review.url) ?? ""
  const bytesOf = async (path: string, of: string | null) => (await compressedPage(shop.url, path, of)).length
  const sizes = {
    checkout: await bytesOf("/checkout/", null),
    review: await bytesOf(review.url.pathname + review.url.search, cookie()),
    waiting: 0,
  }
  await review.submit({ having: "draft" })
  sizes.waiting = await bytesOf("/checkout/waiting", cookie())
  expect(Object.entries(sizes).filter(([, size]) => size > FIRST_FLIGHT)).toEqual([])
})

/** What was bought, how it is paid and until when, without the parts around it. */
async function printsTheOrder(page: Page): Promise<void> {
  await page.emulateMedia({ media: "print" })
  await expect(page.locator("h1")).toBeVisible()
  await expect(page.locator(".qr svg")).toBeVisible()
  await expect(page.locator(".lines").first()).toBeVisible()
  for (const around of [".top", ".bottom", ".test-mode"]) {
    await expect(page.locator(around)).toHaveCount(1)
    await expect(page.locator(around)).toBeHidden()
  }
}

test("a printed waiting page is the order, also once the rest of the style is there", async ({ page }) => {
  await orderForPage(page, shop, { email: uniqueEmail() })
  await page.goto(`${shop.url}/checkout/waiting`)
  await expect.poll(() => hasLaterStyle(page)).toBe(true)
  await printsTheOrder(page)
})

test("a screen that is reached without a new document has its style", async ({ page }) => {
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.locator('a[href$="/resellers"]').first().click()
  await expect(page.locator("fieldset.bare").first()).toHaveCSS("border-top-width", "0px")
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true)
})

test("the rest of the style is asked for again after a failure, ever more rarely", async ({ page }) => {
  const asked: number[] = []
  await page.route(/\/assets\/later-[^/]*\.css$/, async (route) => {
    asked.push(performance.now())
    return asked.length > 2 ? route.continue() : route.abort("internetdisconnected")
  })
  await page.goto(`${shop.url}/checkout/`)
  await expect.poll(() => hasLaterStyle(page), { timeout: 30_000 }).toBe(true)
  const [, second = 0, third = 0, ...more] = asked
  expect(more).toEqual([])
  // After three seconds and after six, less what a busy machine may shift.
  expect(third - second).toBeGreaterThan(4_500)
})

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false })

  test("a printed waiting page is the order", async ({ page }) => {
    await orderForPage(page, shop, { email: uniqueEmail() })
    await page.goto(`${shop.url}/checkout/waiting`)
    await printsTheOrder(page)
  })

  test("a later screen has the rules of all screens", async ({ page }) => {
    await buyForPage(page, shop, { email: uniqueEmail() })
    await expect(page.locator(".setup-steps").first()).toHaveCSS("display", "grid")
    await expect.poll(() => hasLaterStyle(page)).toBe(true)
  })
})
