import { expect, type Page } from "playwright/test"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

// A service worker would answer font requests from its cache.
test.use({ userAgent: BROWSER_AGENT, serviceWorkers: "block" })

const LETTERS = "**/assets/lato-*.woff2"
/** Fonts that a page in Latin script needs: one file for each of its three weights. */
const three = [400, 700, 900].map((weight) => expect.stringContaining(`lato-latin-${weight}-`))

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

/** Requested font files, sorted by weight. */
function fontRequests(page: Page): () => string[] {
  const fontUrls: string[] = []
  page.on("request", (request) => {
    if (request.url().endsWith(".woff2")) fontUrls.push(request.url())
  })
  return () => fontUrls.toSorted()
}

/** Number of loaded web fonts. The fallback font is a system font and does not count. */
const fontsOn = (page: Page) =>
  page.evaluate(() => {
    const loaded = [...document.fonts].filter(({ status }) => status === "loaded")
    return loaded.filter(({ family }) => family.replaceAll('"', "") === "Lato").length
  })

test("a first visit shows the text before the web fonts have loaded, and uses them afterwards", async ({
  page,
}) => {
  const complaints: string[] = []
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
  const fontUrls = fontRequests(page)
  let send = () => {}
  const sent = new Promise<void>((resolve) => {
    send = resolve
  })
  await page.route(LETTERS, async (route) => {
    await sent
    await route.continue()
  })
  await page.goto(`${shop.url}/checkout/`, { waitUntil: "domcontentloaded" })
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
  expect(await fontsOn(page)).toBe(0)
  send()
  await expect.poll(() => fontsOn(page)).toBe(3)
  await page.waitForLoadState("networkidle")
  expect(fontUrls()).toEqual(three)
  expect(complaints).toEqual([])
})

test("fonts that never load block neither the page nor its script", async ({ page }) => {
  await page.route(LETTERS, () => {})
  await page.goto(`${shop.url}/checkout/`, { waitUntil: "domcontentloaded" })
  const amount = page.locator(".total").first()
  const before = await amount.innerText()
  await expect(async () => {
    await page.locator('input[name="plan"]:not(:checked)').first().click({ force: true })
    expect(await amount.innerText()).not.toBe(before)
  }).toPass()
})

test("a repeat visit preloads the fonts", async ({ page }) => {
  await page.goto(`${shop.url}/checkout/`, { waitUntil: "networkidle" })
  await page.reload({ waitUntil: "networkidle" })
  await expect(page.locator('link[rel="preload"][as="font"]')).toHaveCount(3)
  await expect.poll(() => fontsOn(page)).toBeGreaterThanOrEqual(3)
})

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false })

  test("a first visit without JavaScript loads the fonts with the page", async ({ page }) => {
    const fontUrls = fontRequests(page)
    await page.goto(`${shop.url}/checkout/`)
    // A busy browser may lay the page out, and ask for its fonts, after the network has been idle for a moment.
    await expect.poll(fontUrls).toEqual(three)
  })
})
