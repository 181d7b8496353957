import { expect } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, payOn, scriptRuns, typePromoCode } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeEach(async () => {
  shop = await startShop()
})
test.afterEach(() => shop.stop())

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })

    test(
      "a promo code that ends while the form is filled in is reported before the order, and ordering without it goes on",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        await page.goto(`${shop.url}/checkout/`)
        await (javaScriptEnabled && scriptRuns(page))
        await typePromoCode(page, "WELCOME10")
        await page.locator('button[value="apply-promo"]').click()
        await expect(page.locator(".applied.discount")).toBeVisible()
        const email = uniqueEmail()
        await page.locator("[name=email]").fill(email)
        await endCode("WELCOME10")

        const pay = page.locator('button.main[value="pay"]:visible').first()
        await pay.click()
        await expect(page.locator(".summary .problem")).toHaveText(enEn.promotion.ended)
        await expect(page.locator(".applied")).toHaveCount(0)
        await expect(page.locator("[name=email]")).toHaveValue(email)
        const total = (await page.locator(".summary .total output").innerText()).trim()
        await expect(page.locator(".plan:has(:checked) .plan-billed")).toContainText(total)

        await payOn(page, shop)
        await expect(page.locator("body")).toContainText(total)
      },
    )
  })
}

function endCode(code: string) {
  const reason = ["--reason", "The campaign is over."]
  return runServerCommand(["admin", "promotions", "switch-off", code, ...reason], { DATA_DIR: shop.dataDir })
}
