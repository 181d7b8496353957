import { expect, type Page } from "playwright/test"
import { enEn as screenTexts } from "~/i18n/screen-texts/en-en"
import { orderForPage } from "../../fixtures/purchase-for-page"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, orderNumberOn, payAndSeeAccess, payOn } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

/** Heading of a partly paid order, after the amount. */
const MISSING = screenTexts.unpaid.missing.split("}}")[1] ?? ""

let shop: TestServer
let oneGateway: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
  oneGateway = await sharedShop({ GATEWAYS: "offshore" })
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })
    test(
      "at a gateway without top-ups the remaining amount is a new payment",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const first = await orderForPage(page, oneGateway, { prefix: "/de-de" })
        await page.goto(first)
        await page.locator('button[value="less"]').click()
        await expect(page.locator("main")).toContainText("Was eingegangen ist, zählt")
        await expect(page.locator(`a[href="${first}"]`)).toHaveCount(0)
        await expect(page.locator(".qr")).toHaveCount(0)
        await page.locator('button[value="retry"]').click()
        await page.waitForURL((url) => url.origin === oneGateway.sandboxUrl)
        expect(page.url()).not.toBe(first)
        await expect(page.locator("h1")).toContainText("15,80")
        await payAndSeeAccess(page)
      },
    )

    for (const gateway of ["cryptomusgateway", "btcpay"]) {
      test(
        `at ${gateway} the remaining amount is a top-up of the same payment`,
        deepUnless(javaScriptEnabled),
        async ({ page }) => {
          const first = await orderForPage(page, shop, { gateway })
          await page.goto(first)
          await page.locator('button[value="less"]').click()
          await expect(page.locator("main")).toContainText("€63.20 of €79.00 received")
          await page.locator(`a[href="${first}"]`).first().click()
          await expect(page.locator("h1")).toContainText("15.80")
          await payAndSeeAccess(page)
        },
      )
    }

    test(
      "a partial payment of a cancelled order is credited to the next order",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        await page.goto(await orderForPage(page, shop, { email }))
        await page.locator('button[value="less"]').click()
        await expect(page.locator("h1")).toContainText(MISSING)
        const number = await orderNumberOn(page)
        await page.locator('a[href*="abort"]').click()
        await expect(page.locator("main")).toContainText("The €63.20 you have paid becomes account credit")
        await page.locator('button[value="abort"]').click()
        await expect(page).toHaveURL(`${shop.url}/checkout/?cancelled=credited`)
        await expect(page.locator("main")).toContainText(screenTexts.notice.cancelled.credited)
        expect(readStoredRows(shop.dataDir).orders.find(({ id }) => id === number)?.status).toBe("cancelled")
        await orderAgain(page, email)
        await expect(page.locator("h1")).toContainText("15.80")
        await payAndSeeAccess(page)
      },
    )
  })
}

async function orderAgain(page: Page, email: string): Promise<void> {
  await page.locator('input[name="plan"][value="3"]').check({ force: true })
  await page.locator("[name=email]").fill(email)
  await payOn(page, shop)
}
