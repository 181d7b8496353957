import playlistParser from "iptv-playlist-parser"
import { expect, type Page } from "playwright/test"
import { deDe } from "../../../app/i18n/screen-texts/de-de"
import { enEn } from "../../../app/i18n/screen-texts/en-en"
import { uniqueEmail } from "../../fixtures/unique-email"
import { payOn, typePromoCode } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless, everyBackendIf } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled })

    test(
      "a visitor buys a plan with an extra and a promo code, and gets working credentials",
      everyBackendIf(!javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        await page.goto(`${shop.url}/checkout/`)
        await page.locator('input[name="plan"][value="3"]').check({ force: true })
        await page.locator('input[name="extraConnection"]').check({ force: true })
        await page.locator("[name=email]").fill(email)
        await typePromoCode(page, "WELCOME10")
        await page.locator('button[value="apply-promo"]').first().click()
        await expect(page.locator("body")).toContainText("€89.01")
        await expect(page.locator('input[name="extraConnection"]')).toBeChecked()
        await expect(page.locator("[name=email]")).toHaveValue(email)

        await payOn(page, shop)
        await page.locator('button[value="paid"]').click()
        await seeAccess(page)
      },
    )

    test(
      "the Back button leads from the gateway to the order, whose payment can still be made",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        await page.goto(`${shop.url}/checkout/`)
        await page.locator("[name=email]").fill(uniqueEmail())
        await payOn(page, shop)
        const payment = page.url()
        // A page that is still loading may replace the one that goes back.
        await page.waitForLoadState()
        await page.goBack()
        await expect(page).toHaveURL(/\/checkout\/waiting(\?open)?$/)
        await page.waitForLoadState()
        // The checkout of before the order is not shown again.
        await page.goBack()
        await expect(page).toHaveURL(/\/checkout\/waiting\?open$/)
        await expect(page.locator("main")).toContainText(enEn.unpaid.openOrder)
        await page.goto(`${shop.url}/checkout/`)
        await expect(page).toHaveURL(/\/checkout\/waiting\?open$/)
        await page.locator(`a[href="${payment}"]`).first().click()
        await expect(page).toHaveURL(payment)
        await page.locator('button[value="paid-twice"]').click()
        await seeAccess(page)
      },
    )

    test(
      "a payment whose callback is lost is found when the buyer returns",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        await page.goto(`${shop.url}/checkout/nl-nl`)
        await page.locator('input[name="email"]').fill(uniqueEmail())
        await payOn(page, shop)
        await page.locator('button[value="paid-unreported"]').click()
        await expect(page).toHaveURL(/\/checkout\/nl-nl\/success$/, { timeout: 15_000 })
      },
    )

    for (const outcome of ["failed", "abandoned"]) {
      test(
        `a payment that is ${outcome} leads back to the waiting page in the same language`,
        deepUnless(javaScriptEnabled),
        async ({ page }) => {
          await page.goto(`${shop.url}/checkout/de-de`)
          await page.locator('input[name="email"]').fill(uniqueEmail())
          await payOn(page, shop)
          await page.locator(`button[value="${outcome}"]`).click()
          await expect(page).toHaveURL(/\/checkout\/de-de\/waiting(\?returned=?)?$/)
          await expect(page.locator("html")).toHaveAttribute("lang", "de-DE")
          // A billing server reports no payment that has failed: the buyer says there that nothing was paid.
          if (outcome === "failed" && test.info().project.name === "remote")
            await page.getByText(deDe.unpaid.notPaid).click()
          await expect(page.locator("h1")).not.toHaveText(deDe.unpaid.looking)
        },
      )
    }

    test(
      "a buyer who has paid and comes back before the payment arrives is not asked to pay again",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        await page.goto(`${shop.url}/checkout/`)
        await page.locator('input[name="email"]').fill(uniqueEmail())
        await payOn(page, shop)
        await page.locator('button[value="processing"]').click()
        await expect(page.locator("h1")).toHaveText(enEn.unpaid.looking)
        await expect(page.locator(`main a[href^="${shop.sandboxUrl}"]`)).toHaveCount(0)
        await page.getByText(enEn.unpaid.notPaid).click()
        await expect(page.locator(`main a[href^="${shop.sandboxUrl}"]`).first()).toBeVisible()
      },
    )

    test(
      "changing an order opens the prefilled checkout, and paying again creates a new order",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        await page.goto(`${shop.url}/checkout/`)
        await page.locator('input[name="plan"][value="1"]').check({ force: true })
        await page.locator("[name=email]").fill(email)
        await payOn(page, shop)
        await page.goto(`${shop.url}/checkout/waiting`)
        const first = await orderNumber(page)
        await page.locator('a[href*="edit"]').click()
        await page.locator('button[value="edit"]').click()
        await expect(page).toHaveURL(`${shop.url}/checkout/`)
        await expect(page.locator('input[name="plan"][value="1"]')).toBeChecked()
        await expect(page.locator("[name=email]")).toHaveValue(email)
        await page.locator('input[name="plan"][value="2"]').check({ force: true })
        await payOn(page, shop)
        await page.locator('button[value="paid"]').click()
        await seeAccess(page)
        expect(await orderNumber(page)).not.toBe(first)
      },
    )

    test(
      "reloading a page of the purchase creates no second order",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        await page.goto(`${shop.url}/checkout/`)
        await page.locator("[name=email]").fill(uniqueEmail())
        await payOn(page, shop)
        await page.goto(`${shop.url}/checkout/waiting`)
        const number = await orderNumber(page)
        await page.reload()
        expect(await orderNumber(page)).toBe(number)
        await page.goto(`${shop.url}/checkout/creatingOrder`)
        await expect(page).toHaveURL(/\/checkout\/waiting$/)
      },
    )
  })
}

test("while script loads the review says where it leads; its button comes back if script never arrives", async ({
  page,
}) => {
  await page.route("**/*.js", (route) => route.abort())
  let documents = 0
  page.on("framenavigated", () => documents++)
  await page.goto(`${shop.url}/checkout/`)
  // It is loaded once more for its script.
  await expect.poll(() => documents).toBe(2)
  await page.locator("[name=email]").fill(uniqueEmail())
  await page.locator('button.main[value="pay"]:visible').first().click()
  await expect(page).toHaveURL(/\/creatingOrder$/)
  const button = page.locator('form:has(input[name="draft"]) button')
  await expect(page.locator(".lead")).toContainText(`Taking you to ${new URL(shop.sandboxUrl).host}`)
  await expect(button).toBeHidden()
  await expect(button).toBeVisible({ timeout: 15_000 })
  await button.click()
  await expect.poll(() => new URL(page.url()).origin).toBe(shop.sandboxUrl)
})

async function seeAccess(page: Page) {
  await expect(page).toHaveURL(/\/checkout\/success$/, { timeout: 15_000 })
  await expect(page.getByText(/TV[0-9A-Z]{8}/).first()).toBeVisible({ timeout: 15_000 })
  const response = await page.request.get(`${shop.url}/checkout/success/playlist.m3u8`)
  const { items } = playlistParser.parse(await response.text())
  expect(items.length).toBeGreaterThan(2)
  expect(items[0]?.url).toMatch(/\/live\/TV[0-9A-Z]{8}\/\d{10}\/1\.ts$/)
}

async function orderNumber(page: Page): Promise<string> {
  const number = /\b[2-9A-HJKMNPQRSTW-Z]{10}\b/.exec(await page.locator("main").innerText())
  return number?.[0] ?? "no order number on the page"
}
