import { expect, type Page } from "playwright/test"
import { STILL } from "~/domain/orders/screen-paths"
import { enEn as screenTexts } from "~/i18n/screen-texts/en-en"
import { enEn } from "~/i18n/translations/en-en"
import { afterTheDeadline } from "../../fixtures/database-edits"
import { buyForPage, orderForPage } from "../../fixtures/purchase-for-page"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { disableScript } from "../../support/browser/disabled-script"
import { BROWSER_AGENT, orderNumberOn } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { trusted } from "../shop-settings"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep } from "../tags"

/** A network from which every order is held. */
const BLOCKED = "203.0.113.0/24"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop(trusted)
  await admin("blocks", "add", BLOCKED)
})
test.use({ userAgent: BROWSER_AGENT })
test.setTimeout(400_000)

/** Moments beside the usual way: each leads a page to its state, without script. */
const moments: readonly [string, (page: Page) => Promise<void>][] = [
  ["partly paid", partlyPaid],
  ["expired", expired],
  ["held for review", held],
  ["suspended", suspended],
  ["refunded", refunded],
]

for (const [name, lead] of moments) {
  test(`without JavaScript the page has no accessibility violations: ${name}`, deep, async ({ page }) => {
    const { lend } = await disableScript(page)
    await lead(page)
    // A page that waits reloads by itself: not while it is examined.
    await page.route("**", (route) =>
      route.request().isNavigationRequest() ? route.abort("aborted") : route.fallback(),
    )
    await lend(() => expectAccessible(page, `${name}, without script`, sampleViews))
  })
}

async function partlyPaid(page: Page) {
  await page.goto(await orderForPage(page, shop))
  await page.locator('button[value="less"]').click()
  await expect(page.locator("main")).toContainText("of €79.00 received")
  // A reload that has begun would replace the page while it is examined.
  await page.goto(`${shop.url}/checkout/waiting?${STILL}`)
}

async function expired(page: Page) {
  await orderForPage(page, shop)
  await page.goto(`${shop.url}/checkout/waiting`)
  await afterTheDeadline(shop, await orderNumberOn(page))
  await expect(async () => {
    await page.goto(`${shop.url}/checkout/waiting`)
    await expect(page.locator("h1")).toHaveText(enEn.waiting.expired, { timeout: 500 })
  }).toPass()
}

async function held(page: Page) {
  await page.setExtraHTTPHeaders({ "x-forwarded-for": "203.0.113.7" })
  await page.goto(`${shop.url}/checkout/`)
  await page.locator("[name=email]").fill(uniqueEmail())
  await page.locator('button.main[value="pay"]:visible').first().click()
  await page.locator('form:has(input[name="draft"]) button').click()
  await expect(page.locator("h1")).toHaveText(enEn.fraud.heading)
}

async function suspended(page: Page) {
  await buyForPage(page, shop)
  await admin("services", "suspend", await orderNumberOn(page), "--reason", "asked")
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${shop.url}/checkout/de-de/success`)
  expect(await roomBelowLink(page), "below a link of two lines").toBeGreaterThan(12)
  await page.goto(`${shop.url}/checkout/success`)
  await expect(page.locator(".place-head")).toContainText(screenTexts.place.paused)
}

/** Pixels between the text of the link that ends the first card, and the card's edge. */
function roomBelowLink(page: Page): Promise<number> {
  return page.locator(".place > a.quiet:last-child").evaluate((link) => {
    const text = document.createRange()
    text.selectNodeContents(link)
    const edge = link.parentElement?.getBoundingClientRect().bottom ?? 0
    return edge - text.getBoundingClientRect().bottom
  })
}

async function refunded(page: Page) {
  await buyForPage(page, shop)
  await admin("orders", "refund", await orderNumberOn(page), "--amount", "79.00", "--reason", "asked")
  await page.reload()
  await expect(page.locator("main")).toContainText("Refunded €79.00")
}

async function admin(...args: string[]) {
  const { exitCode, errorOutput } = await runServerCommand(["admin", ...args], { DATA_DIR: shop.dataDir })
  expect(exitCode, errorOutput).toBe(0)
}
