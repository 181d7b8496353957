import { expect, test } from "playwright/test"
import { deDe } from "~/i18n/screen-texts/de-de"
import { enEn } from "~/i18n/screen-texts/en-en"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { storedTerm } from "../../fixtures/stored-terms"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { startShop, type TestServer } from "../../support/server/server-process"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async () => {
  shop = await startShop()
})
test.afterAll(() => shop.stop())
test.use({ userAgent: BROWSER_AGENT })

const languages = [
  ["English", "", enEn.plan, "12 months"],
  ["German", "/de-de", deDe.plan, "12 Monate"],
] as const

for (const javaScriptEnabled of [true, false]) {
  for (const [language, prefix, texts, year] of languages) {
    test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript in ${language}`, () => {
      test.use({ javaScriptEnabled })

      test(
        "a longer cycle is paid at once, less the unused time, and a shorter one follows or not",
        deepUnless(!javaScriptEnabled && prefix !== ""),
        async ({ page }) => {
          const username = await buyForPage(page, shop, { email: uniqueEmail("changes"), plan: "1" })
          const before = storedTerm(shop.dataDir, username)
          await page.goto(`${shop.url}/checkout${prefix}/success?services`)
          await page.getByRole("link", { name: texts.change }).click()
          await expect(page.locator("h1")).toHaveText(texts.heading)
          await expect(page).toHaveTitle(`${texts.heading} · Boxoffice`)
          await page.getByRole("link", { name: year }).click()
          const figures = page.locator("main .lines")
          for (const label of [texts.charge, texts.due, texts.until, texts.renewal, texts.renewalNow])
            await expect(figures).toContainText(label)
          await expect(figures).toContainText(texts.unused.split("{{")[0] ?? "")
          await page.locator('button[value="plan-change"]').click()
          await page.waitForURL((url) => url.origin === shop.sandboxUrl)
          await page.locator('button[value="paid"]').click()
          await page.waitForURL(/\/success/, { timeout: 20_000 })
          await expect(page.locator(".place")).toContainText(year, { timeout: 20_000 })
          const changed = storedTerm(shop.dataDir, username)
          expect(changed).toMatchObject({ product_id: "3" })
          expect(changed.paid_until).toBeGreaterThan(before.paid_until)

          await page.goto(`${shop.url}/checkout${prefix}/success?plan=1.monthly`)
          await page.locator('button[value="plan-next"]').click()
          await page.waitForURL(/\/success(#plan)?$/)
          await expect(page.locator("#plan")).toContainText(
            texts.next.split("{{price}}").at(-2)?.slice(-12) ?? "",
          )
          expect(storedTerm(shop.dataDir, username).product_id).toBe("3")
          await page.locator('button[value="plan-keep"]').click()
          await expect(page.locator("#plan")).toHaveCount(0)
        },
      )
    })
  }
}
