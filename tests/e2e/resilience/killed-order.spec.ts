import { expect } from "playwright/test"
import { enEn } from "~/i18n/screen-texts/en-en"
import { ptPt } from "~/i18n/screen-texts/pt-pt"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import type { HtmlPage } from "../../support/html/html-page"
import { test } from "../shop-test"
import { startOnWhmcs } from "../start-shop"
import { deep } from "../tags"

test.beforeEach(() => test.setTimeout(400_000))

test(
  "a kill -9 during AddOrder creates one order in WHMCS, and the buyer sees the pending page without waiting for WHMCS",
  deep,
  async () => {
    const { shop, whmcs } = await startOnWhmcs()
    const browser = new Browser()
    const review = await chooseAndPay(browser, { shop, email: "ana@example.test" })
    const held = whmcs.quirks.holdNext("AddOrder")
    const lost = goToGateway(review).catch(() => null)
    await held.started
    await shop.kill9()
    await lost
    await shop.restart()

    for (let press = 0; press < 3; press++) {
      const checking = await goToGateway(review)
      expect([checking.status, checking.text]).toEqual([200, expect.stringContaining(enEn.pending.heading)])
    }
    const shown = await browser.visit(`${shop.url}/checkout/pt-pt/creatingOrder`)
    expect(shown.text).toContain(ptPt.pending.heading)
    expect(whmcs.orders).toHaveLength(0)

    await held.finish()
    const found = await untilChecked(await goToGateway(review))
    await waitForAccess(await payAt(await goToGateway(found)))
    expect(whmcs.orders).toHaveLength(1)
    expect(whmcs.transactions).toHaveLength(1)
    await shop.stop()
  },
)

test(
  "with JavaScript the pending page continues to the payment once the order exists",
  deep,
  async ({ page }) => {
    const { shop, whmcs } = await startOnWhmcs()
    const held = whmcs.quirks.holdNext("AddOrder")
    await page.goto(`${shop.url}/checkout/`)
    await page.locator("[name=email]").fill("ana@example.test")
    await page.locator('button.main[value="pay"]:visible').first().click()
    await held.started
    await shop.kill9()
    await shop.restart()
    await page.goto(`${shop.url}/checkout/creatingOrder`)
    await expect(page.getByRole("heading", { name: enEn.pending.heading })).toBeVisible()
    await held.finish()
    await page.waitForURL((url) => url.origin === shop.sandboxUrl, { timeout: 30_000 })
    expect(whmcs.orders).toHaveLength(1)
    await shop.stop()
  },
)

/** Follows the refreshes of the pending page, as a browser without JavaScript, until the review step replaces it. */
async function untilChecked(page: HtmlPage): Promise<HtmlPage> {
  let shown = page
  await expect(async () => {
    shown = await shown.followRefresh()
    expect(shown.text).not.toContain(enEn.pending.heading)
  }).toPass({ timeout: 30_000 })
  return shown
}
