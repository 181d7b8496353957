import { expect } from "playwright/test"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })

    test("a visitor chooses pounds, keeps what was filled in, and pays in pounds", async ({ page }) => {
      const email = uniqueEmail()
      await page.goto(`${shop.url}/checkout/`)
      await expect(page.locator(".currencies [aria-pressed=true]")).toHaveText("EUR")
      await page.locator("[name=extraConnection]").check()
      await page.locator('input[name="plan"][value="2"]').check({ force: true })
      await page.locator("[name=email]").fill(email)
      await page.getByRole("button", { name: "GBP" }).click()
      await expect(page.locator(".currencies [aria-pressed=true]")).toHaveText("GBP")
      await expect(page.locator("label.plan").first()).toContainText("£")
      await expect(page.locator("label.plan").first()).not.toContainText("€")
      await expect(page.locator('input[name="plan"][value="2"]')).toBeChecked()
      await expect(page.locator("[name=extraConnection]")).toBeChecked()
      await expect(page.locator("[name=email]")).toHaveValue(email)
      const total = await page.locator(".summary .total output").innerText()
      expect(total).toMatch(/^£\d+\.\d\d$/)
      await page.locator('button.main[value="pay"]:visible').first().click()
      if (!javaScriptEnabled) {
        await expect(page.locator("main")).toContainText(total)
        await page.locator("main form button.main").first().click()
      }
      await page.waitForURL((url) => url.origin === shop.sandboxUrl)
      await expect(page.locator("body")).toContainText(/GBP|£/)
      await page.goto(`${shop.url}/checkout/`)
      await expect(page).toHaveURL(`${shop.url}/checkout/waiting?open`)
      await expect(page.locator("main")).toContainText(total)
    })
  })
}
