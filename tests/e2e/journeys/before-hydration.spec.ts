import { expect, type Page } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { buyForPage, orderForPage } from "../../fixtures/purchase-for-page"
import { BROWSER_AGENT, scriptRuns, typePromoCode, unfold } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
// A service worker would serve the script of a second load, past the route that holds it.
test.use({ userAgent: BROWSER_AGENT, serviceWorkers: "block" })

test("hydration does not move the focus to the error summary while a visitor types", async ({ page }) => {
  const script = await heldScript(page)
  await page.goto(`${shop.url}/checkout/?pid=1&promocode=YEAR15`, { waitUntil: "commit" })
  await expect(page.locator(".problems")).toBeVisible()
  await page.locator("[name=email]").focus()
  await script.runs()
  await page.keyboard.type("ana@example.test")
  await expect(page.locator("[name=email]")).toHaveValue("ana@example.test")
})

test("hydration keeps the scroll position", async ({ page }) => {
  const down = () => page.evaluate(() => scrollY)
  const goesDown = async (address: string) => {
    const script = await heldScript(page)
    await page.goto(`${shop.url}${address}`, { waitUntil: "commit" })
    await expect(page.locator("#question, .problems")).toBeVisible()
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const before = await down()
    expect(before).toBeGreaterThan(100)
    await script.runs()
    await shownTwice(page)
    expect(await down()).toBe(before)
  }
  await page.setViewportSize({ width: 1280, height: 640 })
  await goesDown("/checkout/?pid=1&promocode=YEAR15")
  await orderForPage(page, shop)
  await goesDown("/checkout/waiting?gateway")
})

test("the summary shows an extra's line with its checkbox, and hydration moves nothing below the lines", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  const summary = page.locator(".summary")
  const line = summary.locator(".lines li").filter({ hasText: enEn.checkout.extras.extraConnection })
  const button = summary.locator('button[value="apply-promo"]')
  const place = () => summary.locator(".total").evaluate((it) => it.getBoundingClientRect().top)
  for (const isSelected of [true, false]) {
    const script = await heldScript(page)
    await page.goto(`${shop.url}/checkout/`, { waitUntil: "commit" })
    await expect(line).toBeVisible({ visible: !isSelected })
    const before = await place()
    await page.locator('input[name="extraConnection"]').setChecked(isSelected, { force: true })
    await expect(line).toBeVisible({ visible: isSelected })
    const after = await place()
    expect(after > before).toBe(isSelected)
    await script.runs()
    await shownTwice(page)
    expect(await place()).toBe(after)
    await expect(line).toBeVisible({ visible: isSelected })
    if (!isSelected) continue
    // Keeps the selection for the next visit.
    await typePromoCode(page, "WELCOME10")
    await button.click()
    await expect(summary).toContainText("WELCOME10")
  }
})

test("the totals of the service page follow choices that were made before hydration", async ({ page }) => {
  await buyForPage(page, shop, { plan: "1" })
  const totals = page.locator("#renewal .total output, .upsell .total output")
  for (const choose of [chooseThreeCycles, chooseFourConnections]) {
    const script = await heldScript(page)
    await page.goto(`${shop.url}/checkout/success`, { waitUntil: "commit" })
    await choose(page)
    const before = await totals.allTextContents()
    await script.runs()
    await expect.poll(async () => (await totals.allTextContents()).join()).not.toBe(before.join())
  }
})

async function chooseThreeCycles(page: Page) {
  await (await unfold(page, 'input[name="cycles"][value="3"]')).check({ force: true })
}

async function chooseFourConnections(page: Page) {
  await (await unfold(page, 'input[name="quantity"]')).fill("4")
}

/** Delays the page's script until `runs` is called. */
async function heldScript(page: Page) {
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  await page.route("**/assets/entry.client-*.js", async (route) => {
    await held
    await route.continue()
  })
  return {
    runs: async () => {
      goOn()
      await scriptRuns(page)
    },
  }
}

/** Waits for two animation frames: hydration has changed focus and scroll position by then. */
function shownTwice(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )
}
