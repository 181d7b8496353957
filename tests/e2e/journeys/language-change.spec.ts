import { expect, type Page } from "playwright/test"
import { locales } from "~/domain/locales"
import { enEn } from "~/i18n/screen-texts/en-en"
import { deDe } from "~/i18n/translations/de-de"
import { enEn as translatedEn } from "~/i18n/translations/en-en"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { uniqueEmail } from "../../fixtures/unique-email"
import { orderOn, payOn, scriptRuns, typePromoCode } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

async function chooseLanguage(page: Page, name: string): Promise<void> {
  await page.locator(".languages summary").click()
  await page.locator(".languages li").getByText(name, { exact: true }).click()
}

const phone = { viewport: { width: 360, height: 740 } }

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ ...phone, javaScriptEnabled })

    for (const { name, prefix, iso } of locales) {
      test(
        `a change of the language to ${name} keeps what a buyer has chosen and typed, which may be wrong`,
        deepUnless(iso === "de-DE"),
        async ({ page }) => {
          // Another page than the one that it becomes: otherwise the browser has one entry for both.
          const before = iso === "nl-NL" ? "es-ES" : "nl-NL"
          await page.goto(`${shop.url}/checkout/${before.toLowerCase()}`)
          await page.locator('[name=plan][value="1"]').check()
          await page.locator("[name=extraConnection]").check()
          await page.locator("[name=proxyProtection]").check()
          await page.locator("[name=email]").fill("ana at exam")
          await page.locator('[name=gateway][value="coinbase"]').check()
          await typePromoCode(page, "SOMMER 25")
          await chooseLanguage(page, name)
          await expect(page).toHaveURL(`${shop.url}/checkout${prefix || "/"}`)
          await expect(page.locator("html")).toHaveAttribute("lang", iso)
          await expectChosen(page)
          await expect(page.locator("[name=promoCode]")).toBeVisible()
          await expect(page.locator(".problem, .problems")).toHaveCount(0)
          await page.goBack()
          await expect(page.locator("html")).toHaveAttribute("lang", before)
          await expectChosen(page)
        },
      )
    }

    test("a change of the language after errors keeps what was typed, and the errors come in the other language", async ({
      page,
    }) => {
      await page.goto(`${shop.url}/checkout/`)
      await page.locator("[name=email]").fill("ana@exam")
      await page.locator("[name=email]").press("Enter")
      await expect(page.locator("#order-email-error")).toBeVisible()
      await chooseLanguage(page, "Deutsch")
      await expect(page.locator("html")).toHaveAttribute("lang", "de-DE")
      await expect(page.locator("[name=email]")).toHaveValue("ana@exam")
      await page.locator("[name=email]").press("Enter")
      await expect(page.locator("#order-email-error")).toHaveText(deDe.checkout.email.invalid)
    })

    test("a change of the language keeps a reseller's plan, answer, e-mail and gateway", async ({ page }) => {
      await page.goto(`${shop.url}/checkout/resellers`)
      const plan = page.locator("[name=plan]").last()
      const chosen = (await plan.getAttribute("value")) ?? ""
      await plan.check()
      await page.locator('[name=existing][value="yes"]').check()
      await page.locator("[name=email]").fill("ana@example.test")
      await page.locator("[name=password]").fill("correct horse")
      await page.locator('[name=gateway][value="coinbase"]').check()
      await typePromoCode(page, "SOMMER 25")
      await chooseLanguage(page, "Español")
      await expect(page.locator("html")).toHaveAttribute("lang", "es-ES")
      expect(page.url()).not.toContain("ana")
      await expect(page.locator(`[name=plan][value="${chosen}"]`)).toBeChecked()
      await expect(page.locator('[name=existing][value="yes"]')).toBeChecked()
      await expect(page.locator("[name=email]")).toHaveValue("ana@example.test")
      await expect(page.locator("[name=password]")).toHaveValue("")
      await expect(page.locator('[name=gateway][value="coinbase"]')).toBeChecked()
      await expect(page.locator("[name=promoCode]")).toHaveValue("SOMMER 25")
    })

    test("a change of the language keeps the other method that an open order is to be paid with", async ({
      page,
    }) => {
      await orderOn(page, shop, { email: uniqueEmail("language") })
      await page.goto(`${shop.url}/checkout/waiting?gateway`)
      await page.locator('[name=gateway][value="cryptomusgateway"]').check()
      await page.locator('[name="coin-cryptomusgateway"]').nth(1).check()
      await chooseLanguage(page, "Deutsch")
      await expect(page.locator("html")).toHaveAttribute("lang", "de-DE")
      await expect(page.locator('[name=gateway][value="cryptomusgateway"]')).toBeChecked()
      await expect(page.locator('[name="coin-cryptomusgateway"]').nth(1)).toBeChecked()
    })

    test("a change of the language keeps how many connections a reseller buys, and with what", async ({
      page,
    }) => {
      await page.goto(`${shop.url}/checkout/resellers`)
      await page.locator("[name=email]").fill(uniqueEmail("language"))
      await page.locator("[name=newPassword]").fill("correct horse battery staple")
      await page.locator("[name=confirmPassword]").fill("correct horse battery staple")
      await payOn(page, shop)
      await page.locator('button[value="paid"]').click()
      await page.locator('a[href*="/upsell"]').first().click({ timeout: 20_000 })
      await page.locator("input[name=quantity]").fill("4")
      await page.locator(".methods > summary").click()
      await page.locator('[name=gateway][value="coinbase"]').check()
      await chooseLanguage(page, "Deutsch")
      await expect(page.locator("html")).toHaveAttribute("lang", "de-DE")
      await expect(page.locator("input[name=quantity]")).toHaveValue("4")
      await expect(page.locator('[name=gateway][value="coinbase"]')).toBeChecked()
    })
  })
}

test("a change of the language keeps what is filled in on the service page and not sent", async ({
  page,
}) => {
  await buyForPage(page, shop)
  await scriptRuns(page)
  await page.getByText(enEn.place.register).click()
  await page.locator("[name=deviceAddress]").fill("00:1A:79")
  await page.getByText(translatedEn.success.notes.heading).click()
  await page.locator("[name=notes]").fill("The box in the kitchen")
  await page.locator(".upsell summary").first().click()
  await page.locator(".upsell [name=quantity]").fill("3")
  await page.locator(".upsell .methods > summary").click()
  await page.locator('.upsell [name=gateway][value="coinbase"]').check()
  const total = (await page.locator(".upsell output").innerText()).replace(/[^0-9]/g, "")
  await chooseLanguage(page, "Deutsch")
  await expect(page.locator("html")).toHaveAttribute("lang", "de-DE")
  await expect(page.locator("[name=deviceAddress]")).toHaveValue("00:1A:79")
  await expect(page.locator("[name=notes]")).toHaveValue("The box in the kitchen")
  for (const name of ["deviceAddress", "notes"]) await expect(page.locator(`[name=${name}]`)).toBeVisible()
  await expect(page.locator(".upsell [name=quantity]")).toHaveValue("3")
  await expect(page.locator('.upsell [name=gateway][value="coinbase"]')).toBeChecked()
  await expect
    .poll(async () => (await page.locator(".upsell output").innerText()).replace(/[^0-9]/g, ""))
    .toBe(total)
  // Taken once: what is given up here does not come back.
  await page.reload()
  await expect(page.locator("[name=notes]")).toHaveValue("")
})

test("the checkout keeps its tags for search engines of every language when script takes the page over", async ({
  page,
}) => {
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  await expect(page.locator('link[rel="alternate"][hreflang="x-default"]')).toHaveCount(1)
  await expect(page.locator('meta[property="og:url"]')).toHaveCount(1)
})

async function expectChosen(page: Page): Promise<void> {
  await expect(page.locator('[name=plan][value="1"]')).toBeChecked()
  await expect(page.locator("[name=extraConnection]")).toBeChecked()
  await expect(page.locator("[name=proxyProtection]")).toBeChecked()
  await expect(page.locator("[name=email]")).toHaveValue("ana at exam")
  await expect(page.locator('[name=gateway][value="coinbase"]')).toBeChecked()
  await expect(page.locator("[name=promoCode]")).toHaveValue("SOMMER 25")
}
