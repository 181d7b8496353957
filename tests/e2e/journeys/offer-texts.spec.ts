import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, orderOn } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const languages = [
  { path: "/", translation: enEn, paid: "€54.00 for 6 months" },
  { path: "/de-de", translation: deDe, paid: "54,00 € für 6 Monate" },
]

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })

    for (const { path, translation, paid } of languages) {
      test(
        `at ${path} the checkout says that the order is kept under the e-mail address, and the review shows it`,
        deepUnless(!javaScriptEnabled && path === "/de-de"),
        async ({ page }) => {
          const email = uniqueEmail()
          await page.goto(`${shop.url}/checkout${path}`)
          await expect(page.locator("main")).toContainText(translation.checkout.email.note)
          await page.locator("[name=email]").fill(email)
          // With script the review submits itself; the aborted request keeps the page in view.
          await page.route("**/creatingOrder", (route) =>
            route.request().method() === "POST" ? route.abort("aborted") : route.continue(),
          )
          await page.locator('button.main[value="pay"]:visible').first().click()
          await expect(page.locator("main")).toContainText(
            translation.review.email.replace("{{email}}", email),
          )
        },
      )

      test(
        `at ${path} a plan says what is paid now and for how long`,
        deepUnless(!javaScriptEnabled && path === "/de-de"),
        async ({ page }) => {
          await page.goto(`${shop.url}/checkout${path}`)
          await expect(page.locator("label.plan").nth(1)).toContainText(paid)
        },
      )

      test(
        `at ${path} the QR code of a payment in test mode has "test" beside it`,
        deepUnless(!javaScriptEnabled && path === "/de-de"),
        async ({ page }) => {
          const prefix = path.replace(/\/$/, "")
          await orderOn(page, shop, { email: uniqueEmail(), prefix })
          await page.goto(`${shop.url}/checkout${prefix}/waiting`)
          await expect(page.locator(".qr svg")).toBeVisible()
          await expect(page.locator(".qr")).toContainText(translation.frame.testMode)
        },
      )
    }
  })
}
