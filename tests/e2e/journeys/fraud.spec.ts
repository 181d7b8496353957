import { expect } from "playwright/test"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { trusted } from "../shop-settings"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop(trusted)
  await runServerCommand(["admin", "blocks", "add", "198.51.100.0/24"], { DATA_DIR: shop.dataDir })
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({
      javaScriptEnabled,
      userAgent: BROWSER_AGENT,
      extraHTTPHeaders: { "x-forwarded-for": "198.51.100.5" },
    })

    test(
      "a blocked visitor gets 403 with an order number and no payment attempt, and can return to the checkout",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        await page.goto(`${shop.url}/checkout/de-de`)
        await page.locator("[name=email]").fill(email)
        const refused = page.waitForResponse((it) => it.status() === 403)
        await page.locator('button.main[value="pay"]:visible').first().click()
        const review = page.locator('form:has(input[name="draft"]) button')
        if (!javaScriptEnabled) await review.click()
        await refused
        await expect(page.locator("main")).toContainText("Es wurde nichts abgebucht")
        const number = await page.locator(".reference code").innerText()
        expect(readStoredRows(shop.dataDir, email)).toMatchObject({
          orders: [{ id: number, status: "fraud" }],
          attempts: [],
        })

        await page.reload()
        await expect(page.locator(".reference code")).toHaveText(number)
        await page.locator("main a").last().click()
        await expect(page).toHaveURL(/\/checkout\/de-de$/)
        await expect(page.locator("[name=email]")).toHaveValue(email)
      },
    )

    test(
      "the page of a held order continues automatically once the operator releases the order",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        if (javaScriptEnabled) await page.clock.install()
        await page.goto(`${shop.url}/checkout/de-de`)
        await page.locator("[name=email]").fill(uniqueEmail())
        await page.locator('button.main[value="pay"]:visible').first().click()
        if (!javaScriptEnabled) await page.locator('form:has(input[name="draft"]) button').click()
        const looked = javaScriptEnabled ? page.waitForResponse(/order-status/) : null
        const number = await page.locator(".reference code").innerText()
        await looked
        await runServerCommand(["admin", "orders", "release", number, "--reason", "known"], {
          DATA_DIR: shop.dataDir,
        })
        if (javaScriptEnabled) await page.clock.runFor(20_000)
        // Without JavaScript the page refreshes every 20 seconds.
        await expect(page.locator(".reference code")).toHaveCount(0, { timeout: 30_000 })
        await expect(page).toHaveURL(/\/checkout\/de-de\/(creatingOrder|waiting)|\/pay\//)
      },
    )
  })
}
