import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { orderForPage } from "../../fixtures/purchase-for-page"
import { uniqueEmail } from "../../fixtures/unique-email"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

/** The shop treats the user agent of a headless browser as a robot, which it never redirects to another language. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent, locale: "de-DE" })

    test(
      "an entry link prefills the checkout in the visitor's language and removes its parameters from the URL",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        await page.goto(`${shop.url}/checkout/?pid=2&promocode=welcome10&email=${email}&extraconnect=1&utm=x`)
        await expect(page).toHaveURL(`${shop.url}/checkout/de-de?utm=x`)
        await expect(page.locator('input[name="plan"][value="2"]')).toBeChecked()
        await expect(page.locator('input[name="extraConnection"]')).toBeChecked()
        await expect(page.locator('input[name="proxyProtection"]')).not.toBeChecked()
        await expect(page.locator("[name=email]")).toHaveValue(email)
        await expect(page.locator("main")).toContainText("59,31")
      },
    )

    test(
      "an invalid promo code in an entry link shows an error, and the checkout can be submitted",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        await page.goto(`${shop.url}/checkout/es-es?pid=1&promocode=YEAR15`)
        await expect(page.getByRole("alert").first()).toContainText("Este código")
        await page.locator("[name=email]").fill(uniqueEmail())
        await page.locator('button.main[value="pay"]:visible').first().click()
        await expect(page).not.toHaveURL(/\/es-es\/?$/)
      },
    )

    test(
      "a link to another plan says that an order is open, and the buyer takes the new one",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        await orderForPage(page, shop, { email: uniqueEmail(), plan: "3", prefix: "/de-de" })
        await page.goto(`${shop.url}/checkout/?pid=1&promocode=welcome10`)
        const { heading, confirm } = deDe.waiting.another
        await expect(page.getByRole("heading", { name: heading })).toBeVisible()
        await page.getByRole("button", { name: confirm }).click()
        await expect(page.locator('input[name="plan"][value="1"]')).toBeChecked()
        await expect(page.locator("main")).toContainText("10,80")
      },
    )

    test("invalid values in an entry link are ignored", deepUnless(javaScriptEnabled), async ({ page }) => {
      const response = await page.goto(
        `${shop.url}/checkout/nl-nl?pid=%00&email=@&extraconnect=maybe&proxyprotect[]=1`,
      )
      expect(response?.status()).toBe(200)
      await expect(page.locator('input[name="plan"][value="3"]')).toBeChecked()
      await expect(page.getByRole("alert")).toHaveCount(0)
    })
  })
}
