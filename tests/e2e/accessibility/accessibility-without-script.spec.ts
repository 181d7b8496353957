import { expect, type Page } from "playwright/test"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { disableScript } from "../../support/browser/disabled-script"
import { BROWSER_AGENT, openPasswordForm, payOn } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({ userAgent: BROWSER_AGENT })
test.setTimeout(400_000)

const PASSWORD = "correct horse battery staple"

test(
  "without JavaScript the pages of a purchase have no accessibility violations",
  deep,
  async ({ page }) => {
    const expectAccessible = await checkerFor(page)
    await page.goto(`${shop.url}/checkout/`)
    await expectAccessible("checkout")
    await page.locator("[name=email]").fill("no e-mail")
    await page.locator('input[name="gateway"][value="cryptomusgateway"]').check({ force: true })
    await page.locator("form.checkout").evaluate((form) => form.setAttribute("novalidate", ""))
    await page.locator('button.main[value="pay"]:visible').first().click()
    await expect(page.locator("#order-email-error")).toBeVisible()
    await expectAccessible("refused checkout")

    await page.locator("[name=email]").fill(uniqueEmail())
    await page.locator('input[name="gateway"][value="offshore"]').check({ force: true })
    await page.locator('button.main[value="pay"]:visible').first().click()
    await expect(page.locator('input[name="draft"]')).toHaveCount(1)
    await expectAccessible("review")
    await page.locator('form:has(input[name="draft"]) button').click()
    await page.waitForURL((url) => url.origin === shop.sandboxUrl)
    const payment = page.url()
    for (const query of ["", "?paid", "?gateway", "?edit", "?abort"]) {
      await page.goto(`${shop.url}/checkout/waiting${query}`)
      await expectAccessible(`waiting${query}`)
    }
    await page.goto(payment)
    await page.locator('button[value="failed"]').click()
    await expect(page.locator('button[value="retry"]')).toBeVisible()
    await expectAccessible("waiting, payment failed")
    await page.locator('button[value="retry"]').click()
    await page.locator('button[value="paid"]').click()
    await expect(page.getByText(/^TV[0-9A-Z]{8}$/).first()).toBeVisible({ timeout: 40_000 })
    await expectAccessible("the service")
    for (const query of [
      "?renew",
      "?recreate",
      "?quantity=2",
      "?plan",
      "?plan=1.monthly",
      "?plan=3.annually",
    ]) {
      await page.goto(`${shop.url}/checkout/success${query}`)
      await expectAccessible(`the service${query}`)
    }
  },
)

test(
  "without JavaScript the pages of resellers and of the sign-in have no accessibility violations",
  deep,
  async ({ page }) => {
    const expectAccessible = await checkerFor(page)
    for (const path of ["/?signin", "/resellers", "/nothing", "/offline"]) {
      await page.goto(`${shop.url}/checkout${path}`)
      await expectAccessible(path)
    }
    await page.goto(`${shop.url}/checkout/?signin`)
    const form = await openPasswordForm(page)
    await form.locator("[name=email]").fill(uniqueEmail())
    await form.locator("[name=password]").fill("wrong horse")
    await form.locator('button[value="sign-in"]').click()
    await expect(page.getByRole("alert").first()).toBeVisible()
    await expectAccessible("sign-in with a wrong password")
    await page.goto(`${shop.url}/checkout/resellers`)
    await page.locator("[name=email]").fill(uniqueEmail())
    await page.locator("[name=newPassword]").fill(PASSWORD)
    await page.locator("[name=confirmPassword]").fill(PASSWORD)
    await payOn(page, shop)
    await page.locator('button[value="paid"]').click()
    await expect(page.getByText(/^TV[0-9A-Z]{8}$/).first()).toBeVisible({ timeout: 40_000 })
    await expectAccessible("reseller account")
    await page.goto(`${shop.url}/checkout/resellers`)
    await expectAccessible("reseller plans of a reseller")
  },
)

/** Script stays disabled in the page but for the checks. */
async function checkerFor(page: Page) {
  const { lend } = await disableScript(page)
  return (state: string) => lend(() => expectAccessible(page, `${state}, without script`, sampleViews))
}
