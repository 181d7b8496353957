import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, type Page } from "playwright/test"
import { deDe } from "~/i18n/screen-texts/de-de"
import { deDe as deDePages } from "~/i18n/translations/de-de"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deepUnless } from "../tags"

const folder = mkdtempSync(join(tmpdir(), "boxoffice-withdrawal-"))
const file = join(folder, "shop.json")
const law = { countries: { DE: { withdrawalDays: 14 } } }
writeFileSync(file, JSON.stringify({ links: {}, apps: [], legal: { law } }))

let shop: TestServer
test.beforeAll(async () => {
  const env = { SHOP_FILE: file, COUNTRY_SOURCE: "header", COUNTRY_HEADER: "x-country" }
  shop = await startShop({ env })
})
test.afterAll(async () => {
  await shop.stop()
  rmSync(folder, { recursive: true })
})

const { withdrawal } = deDe
const link = (page: Page) => page.locator("#receipt").getByRole("link", { name: deDePages.frame.withdrawal })

async function buy(page: Page, { email, hasScript }: { email: string; hasScript: boolean }) {
  await page.goto(`${shop.url}/checkout/de-de`)
  await page.locator("[name=email]").fill(email)
  await page.locator('button.main[value="pay"]:visible').first().click()
  if (!hasScript) {
    await expect(page).toHaveURL(`${shop.url}/checkout/de-de/creatingOrder`)
    await page.locator("main form button.large, main form button.main").first().click()
  }
  await page.locator('button[value="paid"]').click()
  await expect(page).toHaveURL(`${shop.url}/checkout/de-de/success`, { timeout: 20_000 })
  await expect(page.locator("#receipt")).toBeVisible({ timeout: 20_000 })
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT, locale: "de-DE" })

    test(
      "a buyer from Germany withdraws in two steps from the service page",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        await page.context().setExtraHTTPHeaders({ "x-country": "DE" })
        await buy(page, { email, hasScript: javaScriptEnabled })
        await link(page).click()
        const number = await page.getByLabel(withdrawal.order).inputValue()
        expect(number).toMatch(/^[2-9A-Z]{10}$/)
        await page.getByLabel(withdrawal.email).fill(`other.${email}`)
        await page.getByRole("button", { name: withdrawal.next }).click()
        await expect(page.getByRole("alert")).toContainText(withdrawal.unknown)
        await expect(page.getByLabel(withdrawal.order)).toHaveValue(number)
        await page.getByLabel(withdrawal.email).fill(email)
        await page.getByRole("button", { name: withdrawal.next }).click()
        await expect(page.getByText(withdrawal.declaration.replace("{{order}}", number))).toBeVisible()
        await page.getByRole("button", { name: withdrawal.submit }).click()
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(withdrawal.done.heading)
        await page.reload()
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(withdrawal.done.heading)
        await page.goto(`${shop.url}/checkout/de-de/success`)
        await expect(page.locator("code").first()).toHaveText(/^TV/)
      },
    )

    test(
      "a buyer from another country is offered no withdrawal on the service page",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        await page.context().setExtraHTTPHeaders({ "x-country": "AT" })
        await buy(page, { email: uniqueEmail(), hasScript: javaScriptEnabled })
        await expect(link(page)).toHaveCount(0)
      },
    )
  })
}
