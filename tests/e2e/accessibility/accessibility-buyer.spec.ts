import { expect } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { afterTheDeadline, seenByTheGateway } from "../../fixtures/database-edits"
import { orderForPage } from "../../fixtures/purchase-for-page"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import {
  BROWSER_AGENT,
  orderNumberOn,
  orderOn,
  payAndSeeAccess,
  payOn,
  typePromoCode,
  unfold,
} from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({ userAgent: BROWSER_AGENT })
test.setTimeout(400_000)

// The tests of `npm run test:deep` look at these states in all views.
test("the checkout, the waiting page and the credentials have no accessibility violations", async ({
  page,
}) => {
  await page.goto(`${shop.url}/checkout/`)
  await expectAccessible(page, "checkout, initial", sampleViews)
  const payment = await orderForPage(page, shop)
  await page.goto(`${shop.url}/checkout/waiting`)
  await expectAccessible(page, "waiting, no payment", sampleViews)
  await page.goto(payment)
  await payAndSeeAccess(page)
  await expectAccessible(page, "the service", sampleViews)
})

test(
  "the checkout has no accessibility violations (initial, invalid email, rejected and applied promo code, language menu)",
  deep,
  async ({ page }) => {
    await page.goto(`${shop.url}/checkout/`)
    await expectAccessible(page, "checkout, initial")

    await page.locator('input[name="plan"][value="1"]').check({ force: true })
    await page.locator('input[name="extraConnection"]').check({ force: true })
    await page.locator("[name=email]").fill("no e-mail")
    await page.locator("[name=email]").blur()
    await expect(page.locator("#order-email-error")).toBeVisible()
    await expectAccessible(page, "checkout with choices and an invalid email")

    await typePromoCode(page, "NO-SUCH-CODE")
    await page.locator('button[value="apply-promo"]').first().click()
    await expect(page.locator("#order-promoCode-error")).toBeVisible()
    await expectAccessible(page, "checkout with a rejected promo code")

    await page.locator("[name=email]").fill(uniqueEmail())
    await typePromoCode(page, "WELCOME10")
    await page.locator('button[value="apply-promo"]').first().click()
    await expect(page.locator('button[value="remove-promo"]')).toBeVisible()
    await expectAccessible(page, "checkout with an applied promo code")

    await page.locator(".languages summary").click()
    await expectAccessible(page, "checkout with the language menu open")
  },
)

test(
  "the waiting page has no accessibility violations (no payment, questions, failed payment, partial payment)",
  deep,
  async ({ page }) => {
    await orderOn(page, shop, { email: uniqueEmail() })
    await expectAccessible(page, "pay page of the sandbox")
    const payment = page.url()
    await page.goto(`${shop.url}/checkout/waiting`)
    await expectAccessible(page, "waiting, no payment")
    for (const question of ["gateway", "edit", "abort"]) {
      await page.goto(`${shop.url}/checkout/waiting?${question}`)
      await expect(page.locator("#question")).toBeVisible()
      await expectAccessible(page, `waiting, question: ${question}`)
    }
    await page.goto(payment)
    await page.locator('button[value="failed"]').click()
    await expect(page.locator('button[value="retry"]')).toBeVisible()
    await expectAccessible(page, "waiting, payment failed")
    await page.locator('button[value="retry"]').click()
    await page.waitForURL((url) => url.origin === shop.sandboxUrl)
    await page.locator('button[value="less"]').click()
    await expect(page.locator("main")).toContainText("of €79.00 received")
    await expectAccessible(page, "waiting for the remaining amount")
  },
)

test(
  "the waiting page has no accessibility violations (payment being confirmed, expired order)",
  deep,
  async ({ page }) => {
    await orderOn(page, shop, { email: uniqueEmail() })
    await page.goto(`${shop.url}/checkout/waiting`)
    const number = await orderNumberOn(page)
    seenByTheGateway(shop, number)
    await page.goto(`${shop.url}/checkout/waiting`)
    await expect(page.locator("h1")).toHaveText(enEn.waiting.headingSeen)
    await expectAccessible(page, "payment being confirmed")
    await afterTheDeadline(shop, number)
    await expect(async () => {
      await page.goto(`${shop.url}/checkout/waiting`)
      await expect(page.locator("h1")).toHaveText(enEn.waiting.expired, { timeout: 500 })
    }).toPass()
    await expectAccessible(page, "expired order")
  },
)

test("the waiting page of a coin payment has no accessibility violations", deep, async ({ page }) => {
  const coin = page.locator('input[name="coin-btcpay"][value="BTC/CHAIN"]')
  await expect(async () => {
    await page.goto(`${shop.url}/checkout/`)
    await expect(coin).toHaveCount(1, { timeout: 200 })
  }).toPass()
  await page.locator("[name=email]").fill(uniqueEmail())
  await page.locator('input[name="gateway"][value="btcpay"]').check({ force: true })
  await coin.check()
  await page.locator('button.main[value="pay"]:visible').first().click()
  await expect(page.locator(".qr svg")).toBeVisible({ timeout: 20_000 })
  await expectAccessible(page, "waiting for a coin payment")
})

test(
  "the service page has no accessibility violations (initial, rejected and registered device, recreation, list)",
  deep,
  async ({ page }) => {
    const email = uniqueEmail()
    await orderOn(page, shop, { email })
    await page.locator('button[value="paid"]').click()
    await expect(page.getByText(/^TV[0-9A-Z]{8}$/).first()).toBeVisible({ timeout: 20_000 })
    await expectAccessible(page, "the service")
    for (const fold of await page.locator("main summary").all()) await fold.click()
    await page.locator('input[name="deviceAddress"]').fill("no device")
    await page.locator('button[value="device"]').click()
    await expect(page.locator("#device-deviceAddress-error")).toBeVisible()
    await expectAccessible(page, "service with a rejected device and all sections open")
    await page.goto(`${shop.url}/checkout/success?recreate`)
    await expectAccessible(page, "service, confirmation of recreation")
    for (const query of ["?plan", "?plan=1.monthly", "?plan=3.annually"]) {
      await page.goto(`${shop.url}/checkout/success${query}`)
      await expectAccessible(page, `service, change of plan ${query}`)
    }
    await page.goto(`${shop.url}/checkout/success`)
    await (await unfold(page, "[name=deviceAddress]")).fill("00:1A:79:12:34:56")
    await page.locator('button[value="device"]').click()
    await expect(page.locator("main .notice")).toBeVisible()
    await expectAccessible(page, "the service with a device registered")

    await page.goto(`${shop.url}/checkout/`)
    await page.locator("[name=email]").fill(email)
    await payOn(page, shop)
    await page.locator('button[value="paid"]').click()
    await expect(page.locator("#services")).toBeVisible({ timeout: 20_000 })
    await expectAccessible(page, "the list of services")
  },
)
