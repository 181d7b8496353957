import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { BROWSER_AGENT, scriptRuns, unfold } from "../../support/browser/page-actions"
import { expectScannable } from "../../support/browser/scannable-code"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

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
      const details = deepUnless(javaScriptEnabled === (prefix === ""))

      test(
        "password, playlist address and QR code are covered until the visitor uncovers them",
        details,
        async ({ page }) => {
          await buyForPage(page, shop, { prefix })
          if (javaScriptEnabled) await scriptRuns(page)
          const password = page.locator(".credential").filter({ hasText: translation.success.password })
          const value = password.locator("details code")
          await expect(password).toBeVisible()
          await expect(value).toBeHidden()
          await password.getByText(translation.success.show).click()
          await expect(value).toBeVisible()
          await password.getByText(translation.success.hide).click()
          await expect(value).toBeHidden()
          const address = page.locator(".credential").filter({ hasText: translation.success.address })
          await expect(address).toBeHidden()
          await unfold(page, ".playlist-qr")
          await expect(address.locator("code")).toBeVisible()
          await expect(page.locator(".playlist-qr svg")).toBeVisible()
          await expectScannable(page.locator(".playlist-qr svg"))
        },
      )
    })
  }
}
