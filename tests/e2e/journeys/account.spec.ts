import { expect } from "playwright/test"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { signInLink } from "../../fixtures/sign-in-link"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT, viewport: { width: 360, height: 740 } })

    test(
      "a customer with two services sees both, renews them together and signs other browsers out",
      deepUnless(!javaScriptEnabled),
      async ({ page, browser }) => {
        const email = uniqueEmail()
        const usernames = [await buyForPage(page, shop, { email })]
        await page.context().clearCookies()
        usernames.push(await buyForPage(page, shop, { email }))
        const other = await browser.newContext({ javaScriptEnabled, userAgent: BROWSER_AGENT })
        const otherDevice = await other.newPage()
        await otherDevice.goto(signInLink(shop, email))
        await page.goto(signInLink(shop, email))

        await page.getByRole("link", { name: "Your account" }).click()
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account")
        await expect(page).toHaveTitle("Your account · Boxoffice")
        for (const username of usernames)
          await expect(page.locator(".services li", { hasText: username })).toBeVisible()
        await expect(page.locator(".payments > ul > li")).toHaveCount(2)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        expect(wide).toBeLessThanOrEqual(360)
        await page.locator(".payments > ul > li a").last().click()
        await expect(page.locator(".receipt")).toBeVisible()

        await page.getByRole("link", { name: "Renew several at once" }).click()
        await expect(page.locator('#renewal input[name="also"]')).toBeChecked()
        await page.goBack()

        await page.getByRole("button", { name: "Sign out everywhere else" }).click()
        await expect(page.locator(".notice")).toHaveText("Every other browser has been signed out.")
        expect((await otherDevice.goto(`${shop.url}/checkout/success`))?.status()).toBe(401)
        expect((await page.goto(`${shop.url}/checkout/success?account`))?.status()).toBe(200)
        await other.close()
      },
    )
  })
}
