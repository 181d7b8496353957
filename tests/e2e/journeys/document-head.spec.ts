import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, type Page } from "playwright/test"
import { orderForPage } from "../../fixtures/purchase-for-page"
import { BROWSER_AGENT, buyOn } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deep, deepUnless } from "../tags"

test.use({ userAgent: BROWSER_AGENT })

/** Analytics server at another origin. Its script sets an attribute on the page. */
let counter: Server
let counterUrl = ""
let shop: TestServer
let counted: TestServer
test.beforeAll(async ({ sharedShop }) => {
  counter = createServer((_, response) => {
    response
      .setHeader("content-type", "text/javascript")
      .end("document.documentElement.dataset.counted = 'yes'")
  })
  await new Promise<void>((resolve) => void counter.listen(0, "127.0.0.1", resolve))
  counterUrl = `http://127.0.0.1:${(counter.address() as AddressInfo).port}`
  shop = await sharedShop()
  const env = { ANALYTICS_URL: `${counterUrl}/count.js`, ANALYTICS_DATA: "website-id=shop-1" }
  counted = await startShop({ env })
})
test.afterAll(async () => {
  await counted.stop()
  counter.close()
})

const titles = {
  "": "Checkout · Boxoffice",
  "/es-es": "Finalizar compra · Boxoffice",
  "/pt-pt": "Finalizar compra · Boxoffice",
  "/de-de": "Kasse · Boxoffice",
  "/nl-nl": "Afrekenen · Boxoffice",
  "/en-gb": "Checkout · Boxoffice",
}

function metaOf(page: Page): Promise<Record<string, string[]>> {
  return page.locator("head meta").evaluateAll((metas) => {
    const named: Record<string, string[]> = {}
    for (const meta of metas) {
      const name = meta.getAttribute("property") ?? meta.getAttribute("name") ?? ""
      named[name] = [...(named[name] ?? []), meta.getAttribute("content") ?? ""]
    }
    return named
  })
}

for (const [prefix, title] of Object.entries(titles)) {
  test(
    `the checkout at "${prefix}" has title, description and image for link previews, once each`,
    deepUnless(prefix === "/de-de"),
    async ({ page }) => {
      await page.goto(`${shop.url}/checkout${prefix || "/"}`, { waitUntil: "networkidle" })
      await expect(page).toHaveTitle(title)
      const meta = await metaOf(page)
      expect(meta).toMatchObject({
        "og:title": [title],
        "og:site_name": ["Boxoffice"],
        "og:type": ["website"],
        "og:url": [`${shop.url}/checkout${prefix || "/"}`],
        "og:image": [`${shop.url}/checkout/og.png`],
        "theme-color": ["#8ea6f0", "#405db1"],
      })
      expect(meta["og:description"]).toEqual(meta.description)
      expect(meta.description?.[0]?.length).toBeGreaterThan(50)
      expect(meta["og:locale"]?.[0]).toMatch(/^[a-z]{2}_[A-Z]{2}$/)
      expect(meta.robots).toBeUndefined()
      expect((await page.request.get(meta["og:image"]?.[0] ?? "")).headers()["content-type"]).toBe(
        "image/png",
      )
    },
  )
}

test("an unknown page has the 404 document title", async ({ page }) => {
  for (const path of ["/nowhere", "/no/where", "/de-de/nowhere"]) {
    await page.goto(`${shop.url}/checkout${path}`)
    await expect(page).toHaveTitle(/^(Page not found|Seite nicht gefunden) · Boxoffice$/)
  }
})

test("the waiting page and error pages are noindex and have no metadata for link previews", async ({
  page,
}) => {
  await orderForPage(page, shop)
  for (const path of ["/checkout/waiting", "/checkout/nowhere"]) {
    await page.goto(`${shop.url}${path}`)
    const meta = await metaOf(page)
    expect(meta.robots).toEqual(["noindex"])
    expect(Object.keys(meta).filter((name) => name.startsWith("og:") || name === "description")).toEqual([])
  }
})

test("no analytics script is loaded without ANALYTICS_URL", async ({ page }) => {
  const response = await page.goto(`${shop.url}/checkout/`)
  expect(response?.headers()["content-security-policy"]).toContain("connect-src 'self';")
  expect(await page.locator("script[src^='http']").count()).toBe(0)
})

test("the analytics script runs on the checkout page and on no other", deep, async ({ page }) => {
  const errors: string[] = []
  page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())))
  page.on("pageerror", (error) => void errors.push(error.message))
  await page.goto(`${counted.url}/checkout/`, { waitUntil: "networkidle" })
  await expect(page.locator("html")).toHaveAttribute("data-counted", "yes")
  const tag = page.locator(`script[src="${counterUrl}/count.js"]`)
  await expect(tag).toHaveAttribute("data-website-id", "shop-1")
  await expect(tag).toHaveCount(1)
  expect(errors).toEqual([])

  const seen: string[] = []
  page.on("domcontentloaded", async (loaded) => {
    const isTracked = await loaded
      .locator("html[data-counted]")
      .count()
      .catch(() => 0)
    if (isTracked > 0) seen.push(new URL(loaded.url()).pathname)
  })
  await buyOn(page, counted, "counted@example.test")
  await expect(page.locator("html")).not.toHaveAttribute("data-counted")
  await expect(tag).toHaveCount(0)
  for (const path of ["/checkout/success", "/checkout/waiting", "/checkout/resellers", "/checkout/?signin"]) {
    const response = await page.goto(`${counted.url}${path}`)
    expect(response?.headers()["content-security-policy"]).not.toContain(counterUrl)
    await expect(tag).toHaveCount(0)
  }
  expect(seen.filter((path) => path !== "/checkout/")).toEqual([])
})

test("leaving the page with the analytics script loads a new document", deep, async ({ page }) => {
  await page.goto(`${counted.url}/checkout/`, { waitUntil: "networkidle" })
  await expect(page.locator("html")).toHaveAttribute("data-counted", "yes")
  await page.locator('input[name="plan"][value="3"]').check({ force: true })
  await page.locator("[name=email]").fill("document@example.test")
  const review = page.waitForRequest(
    (request) => request.isNavigationRequest() && request.url().endsWith("/creatingOrder"),
  )
  await page.locator('button.main[value="pay"]:visible').first().click()
  await review
})
