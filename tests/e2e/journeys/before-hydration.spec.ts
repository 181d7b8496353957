import { expect, type Page } from "playwright/test"
import { orderForPage } from "../../fixtures/purchase-for-page"
import { BROWSER_AGENT, scriptRuns } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({ userAgent: BROWSER_AGENT })

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
