import { expect } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible } from "../../support/browser/accessibility-checks"
import { BROWSER_AGENT, payOn } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep } from "../tags"

const PASSWORD = "correct horse battery staple"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({ userAgent: BROWSER_AGENT })
test.setTimeout(400_000)

test(
  "the reseller pages have no accessibility violations (sign-up, errors, waiting, lines, connections)",
  deep,
  async ({ page }) => {
    const pay = page.locator('button.main[value="pay"]:visible').first()
    await page.goto(`${shop.url}/checkout/resellers`)
    await expectAccessible(page, "resellers, new visitor")
    await pay.click()
    await expect(page.locator("#order-email-error")).toBeVisible()
    await expectAccessible(page, "resellers, with empty fields")
    await page.locator('input[name="existing"][value="yes"]').check({ force: true })
    await page.locator("[name=email]").fill(uniqueEmail())
    await page.locator("[name=password]").fill("not the password")
    await pay.click()
    await expect(page.getByText(enEn.resellers.wrongPassword).first()).toBeVisible()
    await expectAccessible(page, "resellers, with a wrong password")

    await page.locator('input[name="existing"][value="no"]').check({ force: true })
    await page.locator("[name=email]").fill(uniqueEmail("reseller"))
    await page.locator("[name=newPassword]").fill(PASSWORD)
    await page.locator("[name=confirmPassword]").fill(PASSWORD)
    await payOn(page, shop)
    const payment = page.url()
    await page.goto(`${shop.url}/checkout/resellers/waiting`)
    await expectAccessible(page, "a reseller waiting")
    await page.goto(payment)
    await page.locator('button[value="paid"]').click()
    await expect(page.locator("#line")).toBeVisible({ timeout: 20_000 })
    await page.locator("[name=notes]").fill("Leo, living room")
    await page.locator("#line button.main").click()
    await expect(page.locator(".line-row a")).toBeVisible()
    await expectAccessible(page, "a reseller with a line")
    await expect(async () => {
      await page.reload()
      await page.locator(".line-acts a").click({ timeout: 500 })
    }).toPass()
    await expect(page.locator("#message textarea")).toHaveValue(/Leo/)
    await expectAccessible(page, "a message for a reseller's customer")

    await page.locator('a[href*="/upsell"]').click()
    await expect(page.locator("[name=quantity]")).toBeVisible()
    await expectAccessible(page, "more connections")
    await page.goto(`${shop.url}/checkout/resellers`)
    await expectAccessible(page, "resellers, signed in")
  },
)
