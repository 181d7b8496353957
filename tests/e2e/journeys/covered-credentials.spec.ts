import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { BROWSER_AGENT, scriptRuns } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  for (const { prefix, translation, locale } of [
    { prefix: "", translation: enEn, locale: "en-US" },
    { prefix: "/de-de", translation: deDe, locale: "de-DE" },
  ]) {
    test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript in ${locale}`, () => {
      test.use({ javaScriptEnabled, locale, userAgent: BROWSER_AGENT })

      test("password and playlist address are covered until the visitor uncovers them", async ({ page }) => {
        await buyForPage(page, shop, { prefix })
        if (javaScriptEnabled) await scriptRuns(page)
        for (const label of [translation.success.password, translation.success.address]) {
          const field = page.locator(".credential").filter({ hasText: label })
          const value = field.locator("details code")
          await expect(field).toBeVisible()
          await expect(value).toBeHidden()
          await field.getByText(translation.success.show).click()
          await expect(value).toBeVisible()
          await field.getByText(translation.success.hide).click()
          await expect(value).toBeHidden()
        }
      })
    })
  }
}
