import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, type Page } from "playwright/test"
import { deDe } from "~/i18n/screen-texts/de-de"
import { deDe as deDePages } from "~/i18n/translations/de-de"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, scriptRuns } from "../../support/browser/page-actions"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deepUnless } from "../tags"

const folder = mkdtempSync(join(tmpdir(), "boxoffice-law-"))
const file = join(folder, "shop.json")
writeFileSync(
  file,
  JSON.stringify({
    links: {},
    apps: [],
    legal: { law: { countries: { DE: { orderButton: true, startAtOnce: true, withdrawalDays: 14 } } } },
  }),
)

let shop: TestServer
test.beforeAll(async () => {
  const env = { SHOP_FILE: file, COUNTRY_SOURCE: "header", COUNTRY_HEADER: "x-country" }
  shop = await startShop({ env })
})
test.afterAll(async () => {
  await shop.stop()
  rmSync(folder, { recursive: true })
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT, locale: "de-DE" })

    test(
      "a buyer from Germany orders with the words and declarations of that country",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        await openFrom(page, "DE")
        // Before hydration the browser's own message would appear.
        await (javaScriptEnabled && scriptRuns(page))
        const order = page.locator('button.main[value="pay"]:visible').first()
        await expect(order).toHaveText(deDe.law.orderButton)
        const [consent, acknowledgement] = [deDe.law.consent, deDe.law.acknowledgement].map((name) =>
          page.getByRole("checkbox", { name }),
        )
        if (!consent || !acknowledgement) throw new Error("A declaration is missing")
        await expect(consent).not.toBeChecked()
        await expect(acknowledgement).not.toBeChecked()
        await page.locator("[name=email]").fill(uniqueEmail())
        await consent.check()
        await order.click()
        if (javaScriptEnabled)
          await expect(page.getByText(deDePages.checkout.declare.acknowledgement).first()).toBeVisible()
        await expect(page).toHaveURL(`${shop.url}/checkout/de-de`)
        await expect(consent).toBeChecked()
        await acknowledgement.check()
        await order.click()
        if (!javaScriptEnabled) {
          await expect(page).toHaveURL(`${shop.url}/checkout/de-de/creatingOrder`)
          await page.getByRole("button", { name: deDe.law.orderButton }).click()
        }
        await page.locator('button[value="paid"]').click()
        await expect(page).toHaveURL(`${shop.url}/checkout/de-de/success`, { timeout: 20_000 })
        await expect(page.locator("#receipt")).toContainText(deDe.law.consent, { timeout: 20_000 })
        await expect(page.locator("#receipt")).toContainText(deDe.law.acknowledgement)
      },
    )

    test(
      "a buyer from another country sees nothing of it",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        await openFrom(page, "AT")
        await expect(page.locator(".declaration")).toHaveCount(0)
        await expect(page.locator('button.main[value="pay"]:visible').first()).toHaveText(
          deDePages.checkout.pay,
        )
      },
    )
  })
}

async function openFrom(page: Page, country: string): Promise<void> {
  await page.context().setExtraHTTPHeaders({ "x-country": country })
  await page.goto(`${shop.url}/checkout/de-de`)
}
