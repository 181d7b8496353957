import { expect, type Page } from "playwright/test"
import { enEn as screenTexts } from "~/i18n/screen-texts/en-en"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { esEs } from "~/i18n/translations/es-es"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import {
  BROWSER_AGENT,
  payAndSeeAccess,
  payOn,
  pressIfThere,
  seeAccess,
} from "../../support/browser/page-actions"
import { expectScannable } from "../../support/browser/scannable-code"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

/** Heading of a partly paid order, after the amount. */
const MISSING = screenTexts.unpaid.missing.split("}}")[1] ?? ""

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })

    for (const gateway of ["offshore", "coinbase", "cryptomusgateway", "btcpay"]) {
      test(
        `a buyer pays at ${gateway} and sees the credentials`,
        // The purchase at the offshore gateway is in purchase.spec.
        deepUnless(javaScriptEnabled && gateway !== "offshore"),
        async ({ page }) => {
          await choose(page, gateway)
          await payOn(page, shop)
          await payAndSeeAccess(page)
        },
      )
    }

    for (const gateway of ["offshore", "coinbase", "cryptomusgateway", "btcpay"]) {
      test(
        `a payment at ${gateway} without a callback is found by polling`,
        deepUnless(javaScriptEnabled && gateway === "coinbase"),
        async ({ page }) => {
          await choose(page, gateway)
          await payOn(page, shop)
          await page.locator('button[value="paid-unreported"]').click()
          await expect(page).toHaveURL(/\/success$/, { timeout: 20_000 })
        },
      )
    }

    for (const [gateway, coin, address] of [
      ["btcpay", "BTC/CHAIN", /^bcrt1q/],
      ["btcpay", "BTC/LN", /^lnbcrt/],
      ["cryptomusgateway", "USDT/tron", /^test-tron-/],
    ] as const) {
      test(
        `a buyer pays ${coin} on the shop's own page with ${gateway}`,
        deepUnless(javaScriptEnabled),
        async ({ page }) => {
          const choice = page.locator(`input[name="coin-${gateway}"][value="${coin}"]`)
          await expect(async () => {
            await choose(page, gateway)
            await expect(choice).toHaveCount(1, { timeout: 200 })
          }).toPass()
          await choice.check()
          await toWaiting(page)
          await expect(page.locator("main code", { hasText: /^0?\d*\.?\d+$/ }).first()).toBeVisible()
          await expect(page.locator("main code", { hasText: address })).toBeVisible()
          await expect(page.locator(".qr svg")).toBeVisible()
          await expectScannable(page.locator(".qr svg"))
          await page.setViewportSize({ width: 320, height: 640 })
          await expectScannable(page.locator(".qr svg"))
          await expect(page.locator(".qr")).toContainText(enEn.frame.testMode)
          const hosted = page.locator(`a[href^="${shop.sandboxUrl}"]`)
          await hosted.first().click()
          await payAndSeeAccess(page)
        },
      )
    }

    for (const { prefix, translation } of [
      { prefix: "", translation: enEn },
      { prefix: "/de-de", translation: deDe },
    ]) {
      test(
        `a payment that expires, is never confirmed or comes late is shown in the shop at "${prefix}/"`,
        deepUnless(javaScriptEnabled && prefix === ""),
        async ({ page }) => {
          await chooseAt(page, "coinbase", prefix)
          await payOn(page, shop)
          await page.locator('button[value="expired"]').click()
          await expect(page.locator("main")).toContainText(translation.timeline["payment-expired"])

          await page.locator('button[value="retry"]').click()
          await page.waitForURL((url) => url.origin === shop.sandboxUrl)
          await page.locator('button[value="late"]').click()
          // Until the service is active, the checkout leads back to the order.
          await seeAccess(page)

          await chooseAt(page, "btcpay", prefix)
          await payOn(page, shop)
          await page.locator('button[value="processing"]').click()
          await expect(page.locator("h1")).toHaveText(translation.waiting.headingSeen)
        },
      )
    }

    test(
      "an underpayment is completed at another gateway, and an overpayment is credited to the next order",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        await choose(page, "offshore", email)
        await payOn(page, shop)
        await page.locator('button[value="less"]').click()
        await expect(page.locator("h1")).toContainText(MISSING)
        await expect(page.locator("main")).toContainText("€63.20 of €79.00 received")
        await expect(page.locator("main")).toContainText("€15.80")
        await page.goto(`${shop.url}/checkout/waiting?gateway`)
        await page.locator('input[name="gateway"][value="coinbase"]').check({ force: true })
        await page.locator('main button[value="gateway"]').click()
        await page.waitForURL((url) => url.origin === shop.sandboxUrl)
        await expect(page.locator("h1")).toContainText("15.80")
        await payAndSeeAccess(page)

        const another = uniqueEmail()
        await choose(page, "offshore", another, "1")
        await payOn(page, shop)
        await page.locator('button[value="more"]').click()
        await expect(page).toHaveURL(/\/success$/, { timeout: 20_000 })
        await expect(page.getByText(/^TV[0-9A-Z]{8}$/).first()).toBeVisible({ timeout: 20_000 })
        await choose(page, "offshore", another, "1")
        await payOn(page, shop)
        await expect(page.locator("h1")).toContainText("10.80")
        await payAndSeeAccess(page)
        expect(readStoredRows(shop.dataDir, another).credit).toEqual(
          expect.arrayContaining([{ amount: 120 }, { amount: -120 }]),
        )
      },
    )
  })
}

test.describe("in Spanish", () => {
  test.use({ userAgent: BROWSER_AGENT, locale: "es-ES" })

  test("a payment that failed at the gateway shows an error and can be retried", async ({ page }) => {
    await page.goto(`${shop.url}/checkout/es-es`)
    await page.locator("[name=email]").fill(uniqueEmail())
    await payOn(page, shop)
    await page.locator('button[value="failed"]').click()
    await expect(page.locator("main")).toContainText(esEs.timeline["payment-failed"])
    await page.locator('button[value="retry"]').click()
    await page.waitForURL((url) => url.origin === shop.sandboxUrl)
    await payAndSeeAccess(page)
  })
})

async function chooseAt(page: Page, gateway: string, prefix: string): Promise<void> {
  await page.goto(`${shop.url}/checkout${prefix || "/"}`)
  await fillIn(page, gateway, uniqueEmail(gateway))
}

async function choose(page: Page, gateway: string, email = uniqueEmail(gateway), plan = "3") {
  await page.goto(`${shop.url}/checkout/`)
  await fillIn(page, gateway, email, plan)
}

async function fillIn(page: Page, gateway: string, email: string, plan = "3"): Promise<void> {
  await page.locator(`input[name="plan"][value="${plan}"]`).check({ force: true })
  await page.locator("[name=email]").fill(email)
  await page.locator(`input[name="gateway"][value="${gateway}"]`).check({ force: true })
}

/** Submits the checkout, and the review step unless script submits it. */
async function toWaiting(page: Page): Promise<void> {
  await page.locator('button.main[value="pay"]:visible').first().click()
  const review = page.locator('form:has(input[name="draft"]) button')
  await expect
    .poll(async () => page.url().includes("/waiting") || (await review.isVisible().catch(() => false)))
    .toBe(true)
  if (!page.url().includes("/waiting")) await pressIfThere(review)
  await page.waitForURL(/\/checkout\/waiting$/)
}
