import { expect, type Page } from "playwright/test"
import { locales } from "~/domain/locales"
import { loadCatalogue } from "~/i18n/i18n"
import { type ShopAndGateway, startShopWithUnreliableGateway } from "../../fakes/faulty-gateway"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import { Browser } from "../../support/browser/no-script-browser"
import { rawRequest } from "../../support/http/raw-request"
import { test } from "../shop-test"
import { deepUnless } from "../tags"

/**
 * A shop that admits one concurrent request, and a buyer's request that occupies it by waiting for a hanging gateway.
 */
type OverloadedShop = ShopAndGateway & { payment: URL; open: Page; freed: Promise<void> }

test.describe.configure({ mode: "serial" })
let crowded: OverloadedShop
test.beforeAll(async ({ browser }) => {
  const opened = await startShopWithUnreliableGateway({
    MAX_CONCURRENT_REQUESTS: "1",
    // The longest there is: the buyer's request is to wait until the test releases it.
    UPSTREAM_TIMEOUT_MS: "30000",
  })
  const order = (email: string) => chooseAndPay(new Browser(), { shop: opened.shop, email })
  const payment = await goToGateway(await order("paid@example.test"))
  const review = await order("waits@example.test")
  const open = await browser.newPage()
  await open.goto(`${opened.shop.url}/checkout/?signin`)
  opened.gateway.set("hang")
  const freed = goToGateway(review).then(() => {})
  await expect.poll(() => readStoredRows(opened.shop.dataDir).attempts).toHaveLength(2)
  crowded = { ...opened, payment: payment.url, open, freed }
})
test.afterAll(async () => {
  // Some of these tests are run without the one that releases it.
  crowded.gateway.release()
  await crowded.freed
  await crowded.open.close()
  await crowded.stop()
})

for (const { code, prefix, iso } of locales) {
  test(
    `under overload a new visitor gets 503 with Retry-After and an error page in ${code}`,
    deepUnless(code === "en-en" || code === "de-de"),
    async () => {
      const page = await new Browser().visit(`${crowded.shop.url}/checkout${prefix || "/"}`)
      expect(page.status).toBe(503)
      expect(page.language).toBe(iso)
      expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0)
      const { error } = await loadCatalogue(code)
      for (const message of [error.crowded, error.kept]) expect(page.text).toContain(message)
      const again = await page.follow(error.retry)
      expect(again.url.href).toBe(page.url.href)
    },
  )
}

test("under overload client-side navigation shows the overload page", async () => {
  const { error } = await loadCatalogue("en-en")
  await crowded.open.locator("main a").last().click()
  await expect(crowded.open.getByRole("heading", { level: 1 })).toHaveText(error.crowded)
})

test("under overload a started purchase, files and health checks are served", async () => {
  const { url } = crowded.shop
  const browser = new Browser()
  const body = new URLSearchParams({
    intent: "pay",
    plan: "3",
    email: "new@example.test",
    gateway: "offshore",
  })
  const review = await browser.post(`${url}/checkout/`, { body })
  expect(review.url.pathname).toBe("/checkout/creatingOrder")
  expect(review.status).toBe(200)
  for (const path of ["/checkout/api/health", "/checkout/api/live", "/checkout/apple-touch-icon.png"])
    expect((await rawRequest(url, path)).status).toBe(200)
})

test("under overload payments are recorded, and few log lines report the rejected requests", async () => {
  const { payment, shop } = crowded
  await fetch(payment, { method: "POST", body: new URLSearchParams({ outcome: "paid" }), redirect: "manual" })
  await expect.poll(() => readStoredRows(shop.dataDir).movements).toEqual([{ amount: 7900 }])
  const result = shop.logLines().filter(({ msg }) => msg === "requests rejected: overload")
  expect(result.length).toBeGreaterThan(0)
  expect(result.length).toBeLessThan(5)
})

test("new visitors are served again after the overload", async () => {
  crowded.gateway.release()
  await crowded.freed
  expect((await new Browser().visit(`${crowded.shop.url}/checkout/`)).status).toBe(200)
})
