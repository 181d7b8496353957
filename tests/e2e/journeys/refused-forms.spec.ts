import { expect } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { BROWSER_AGENT, openPasswordForm, scriptRuns } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({ userAgent: BROWSER_AGENT })

test("a form sent after the session has ended loads the sign-in screen", async ({ page }) => {
  await buyForPage(page, shop)
  await scriptRuns(page)
  await page.context().clearCookies()
  await page.locator("[name=deviceAddress]").fill("00:1A:79:12:34:56")
  await page.locator('button[value="device"]').click()
  await expect(page.locator("h1")).toHaveText(enEn.signIn.heading)
  await expect((await openPasswordForm(page)).locator("[name=email]")).toBeVisible()
})
