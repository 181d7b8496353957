import { expect, type Page } from "playwright/test"
import { orderForPage } from "../../fixtures/purchase-for-page"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, buyOn } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deep, deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({ userAgent: BROWSER_AGENT })

/** Waits until the service worker has filled its cache and controls this page. */
async function hasServiceWorker(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const { active } = await navigator.serviceWorker.ready
    return active?.state === "activated" && navigator.serviceWorker.controller !== null
  })
}

test("the shop is an installable web app in the language of the page", async ({ page }) => {
  await page.goto(`${shop.url}/checkout/de-de`)
  const address = await page.locator('link[rel="manifest"]').getAttribute("href")
  const response = await page.request.get(`${shop.url}${address}`)
  expect(response.headers()["content-type"]).toBe("application/manifest+json")
  const manifest = await response.json()
  expect(manifest).toMatchObject({
    id: "/checkout/",
    scope: "/checkout/",
    start_url: "/checkout/de-de",
    lang: "de-DE",
    name: "Boxoffice",
    display: "standalone",
    theme_color: "#405db1",
  })
  expect(manifest.description).toContain("Paket")
  const sizes = await page.evaluate(async (icons: { src: string }[]) => {
    const drawn = icons.map(({ src }) => Object.assign(new Image(), { src }))
    await Promise.all(drawn.map((image) => image.decode()))
    return drawn.map(({ naturalWidth }) => naturalWidth)
  }, manifest.icons)
  expect(sizes.slice(1)).toEqual([192, 512, 512])
  expect(manifest.icons.map(({ purpose }: { purpose?: string }) => purpose)).toContain("maskable")
  const { installabilityErrors } = await (await page.context().newCDPSession(page)).send(
    "Page.getInstallabilityErrors",
  )
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((it) => it !== "in-incognito")).toEqual([])
})

test("the service worker caches assets and offline pages only, and no page with an order", async ({
  page,
}) => {
  const email = uniqueEmail()
  await page.goto(`${shop.url}/checkout/`)
  await hasServiceWorker(page)
  const username = await buyOn(page, shop, email)
  await page.goto(`${shop.url}/checkout/success`)
  await expect(page.locator("main")).toContainText(username)
  const cached = await page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const requests = (await Promise.all(stores.map((store) => store.keys()))).flat()
    return Promise.all(
      requests.map(async ({ url }) => {
        const response = await caches.match(url)
        return { path: new URL(url).pathname, text: (await response?.text()) ?? "" }
      }),
    )
  })
  const pages = cached.filter(({ path }) => !path.startsWith("/checkout/assets/"))
  expect(pages.map(({ path }) => path).sort()).toEqual(
    ["/de-de", "/en-gb", "/es-es", "/nl-nl", "", "/pt-pt"].map((prefix) => `/checkout${prefix}/offline`),
  )
  for (const { text } of cached) {
    expect(text).not.toContain(username)
    expect(text).not.toContain(email)
  }
})

test("the English offline page that the service worker caches makes English nobody's language", async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: "de-DE", userAgent: BROWSER_AGENT })
  const page = await context.newPage()
  await page.goto(`${shop.url}/checkout/de-de`)
  await hasServiceWorker(page)
  await page.goto(`${shop.url}/checkout/`)
  await expect(page.locator("html")).toHaveAttribute("lang", "de-DE")
  await context.close()
})

for (const [prefix, lang, heading] of [
  ["", "en", "You’re offline"],
  ["/es-es", "es-ES", "No tienes conexión"],
  ["/pt-pt", "pt-PT", "Está sem ligação"],
  ["/de-de", "de-DE", "Sie sind offline"],
  ["/nl-nl", "nl-NL", "Je bent offline"],
  ["/en-gb", "en-GB", "You’re offline"],
]) {
  test(
    `without a network a page shows the offline page in ${lang}, and recovers afterwards`,
    deepUnless(lang === "es-ES"),
    async ({ page }) => {
      const own = await startShop()
      await page.goto(`${own.url}/checkout${prefix || "/"}`)
      await hasServiceWorker(page)
      await own.kill9()
      await page.goto(`${own.url}/checkout${prefix}/waiting?edit`)
      await expect(page.locator("html")).toHaveAttribute("lang", lang ?? "")
      await expect(page.getByRole("heading")).toHaveText(heading ?? "")
      expect(await page.locator("h1").evaluate((it) => getComputedStyle(it).fontWeight)).toBe("900")
      await own.restart()
      await page.locator("main a.button").click()
      await expect(page.locator('input[name="plan"]').first()).toBeAttached()
      await own.stop()
    },
  )
}

test("a 404 of the shop is not replaced by the offline page", deep, async ({ page }) => {
  await page.goto(`${shop.url}/checkout/`)
  await hasServiceWorker(page)
  const response = await page.goto(`${shop.url}/checkout/nowhere`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This page could not be found")
})

test("without a network a form is not submitted and keeps its input, and can be submitted afterwards", async ({
  page,
}) => {
  const email = uniqueEmail("typed")
  await page.goto(`${shop.url}/checkout/`)
  await page.waitForLoadState("networkidle")
  await page.locator("[name=email]").fill(email)
  await page.context().setOffline(true)
  const note = page.getByRole("status").filter({ hasText: "You’re offline" })
  await expect(note).toBeVisible()
  await page.locator('button.main[value="pay"]:visible').first().click()
  await expect(page.getByRole("status").filter({ hasText: "What you’ve typed is kept" })).toBeVisible()
  await page.locator("a.brand").click()
  await expect(page.locator("[name=email]")).toHaveValue(email)
  await page.context().setOffline(false)
  await expect(page.getByText("You’re offline")).toHaveCount(0)
  await page.locator('button.main[value="pay"]:visible').first().click()
  await page.waitForURL((url) => url.origin === shop.sandboxUrl)
})

test("a waiting page does not poll while it is offline, and shows the payment once it is online", async ({
  page,
}) => {
  const gateway = await orderForPage(page, shop)
  await page.goto(`${shop.url}/checkout/waiting`)
  const requests = () => page.waitForRequest(/\/api\/order-status/)
  await requests()
  await page.context().setOffline(true)
  await expect(page.getByRole("status").filter({ hasText: "You’re offline" })).toBeVisible()
  let requestCount = 0
  page.on("request", (request) => void (request.url().includes("order-status") && requestCount++))
  await page.clock.install()
  await page.clock.runFor(60_000)
  expect(requestCount).toBe(0)
  const otherDevice = await page.context().newPage()
  await page.context().setOffline(false)
  await otherDevice.goto(gateway)
  await otherDevice.locator('button[value="paid"]').click()
  await otherDevice.close()
  await expect(page).toHaveURL(/\/success$/, { timeout: 20_000 })
})
