import { expect } from "playwright/test"
import { offerTrial } from "../../fixtures/shop-with-trial"
import { signInLink } from "../../fixtures/sign-in-link"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { disableScript } from "../../support/browser/disabled-script"
import { BROWSER_AGENT, buyOn, seeAccess } from "../../support/browser/page-actions"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

let shop: TestServer
test.beforeAll(async () => {
  shop = await startShop()
  await offerTrial(shop)
})
test.afterAll(() => shop.stop())
test.use({ userAgent: BROWSER_AGENT, locale: "de-DE" })
test.setTimeout(400_000)

test("the screens of a free trial have no accessibility violations", deep, async ({ page }) => {
  const email = uniqueEmail()
  await expect(async () => {
    await page.goto(`${shop.url}/checkout/de-de`)
    await expect(page.locator('main a[href$="/trial"]')).toBeVisible({ timeout: 500 })
  }).toPass()
  await expectAccessible(page, "checkout with a free trial", sampleViews)
  await page.locator('main a[href$="/trial"]').click()
  await expect(page.locator("#trial-email")).toBeVisible()
  await expectAccessible(page, "free trial", sampleViews)
  await page.locator("#trial-email").fill(email)
  await page.locator("main button.main").click()
  await seeAccess(page)
  await expectAccessible(page, "the service of a free trial", sampleViews)
  await page.goto(`${shop.url}/checkout/de-de/trial`)
  await page.locator("#trial-email").fill(uniqueEmail())
  await page.locator("main button.main").click()
  await expect(page.getByRole("alert")).toBeVisible()
  await expectAccessible(page, "a second free trial, refused", sampleViews)
  await buyOn(page, shop, email, "/de-de")
  await page.goto(signInLink(shop, email))
  await page.goto(`${shop.url}/checkout/de-de/success?services`)
  await expect(page.locator(".services li")).toHaveCount(2)
  await expectAccessible(page, "a list with a free trial", sampleViews)
})

test("without JavaScript the free trial has no accessibility violations", deep, async ({ page }) => {
  const { lend } = await disableScript(page)
  await expect(async () => {
    await page.goto(`${shop.url}/checkout/de-de/trial`)
    await expect(page.locator("#trial-email")).toBeVisible({ timeout: 500 })
  }).toPass()
  await lend(() => expectAccessible(page, "free trial, without script", sampleViews))
  await page.locator("#trial-email").fill("nobody@example")
  await page.locator("main form").evaluate((form) => form.setAttribute("novalidate", ""))
  await page.locator("main button.main").click()
  await expect(page.locator("#trial-email-error")).toBeVisible()
  await lend(() => expectAccessible(page, "free trial, refused, without script", sampleViews))
})
