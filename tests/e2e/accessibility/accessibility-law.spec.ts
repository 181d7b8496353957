import { rmSync } from "node:fs"
import { expect } from "playwright/test"
import { declareAll, fromGermany, settingsWithLaw } from "../../fixtures/shop-with-law"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { BROWSER_AGENT, payAndSeeAccess, payOn, scriptRuns, unfold } from "../../support/browser/page-actions"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

const { env, folder } = settingsWithLaw()
let shop: TestServer
test.beforeAll(async () => {
  shop = await startShop({ env })
})
test.afterAll(async () => {
  await shop.stop()
  rmSync(folder, { recursive: true })
})
test.use({ userAgent: BROWSER_AGENT, locale: "de-DE" })
test.setTimeout(400_000)

test("the screens of a buyer with rights by law have no accessibility violations", deep, async ({ page }) => {
  const email = uniqueEmail()
  await fromGermany(page)
  await page.goto(`${shop.url}/checkout/de-de`)
  await scriptRuns(page)
  await expectAccessible(page, "checkout with declarations", sampleViews)
  await page.locator("[name=email]").fill(email)
  await page.locator('button.main[value="pay"]:visible').first().click()
  await expect(page.locator("#order-consent-error")).toBeVisible()
  await expectAccessible(page, "checkout without the declarations", sampleViews)
  await declareAll(page)
  await payOn(page, shop)
  await payAndSeeAccess(page)
  await (await unfold(page, "#renew-consent")).scrollIntoViewIfNeeded()
  await unfold(page, "#upsell-order-consent")
  await expectAccessible(page, "the service with declarations for what is ordered there", sampleViews)
  await page.locator('button[value="renew"]').evaluate((button) => {
    button.closest("form")?.setAttribute("novalidate", "")
  })
  await page.locator('button[value="renew"]').click()
  await expect(page.locator("#renew-consent-error")).toBeVisible()
  await expectAccessible(page, "the service without the declarations", sampleViews)

  await page.goto(`${shop.url}/checkout/de-de/success`)
  await page.locator('#receipt a[href*="withdraw"]').click()
  await expect(page.locator("h1")).toBeVisible()
  await expectAccessible(page, "withdrawal, asked for", sampleViews)
  await page.locator("main [name=email]").fill(`other.${email}`)
  await page.locator("main form button").first().click()
  await expect(page.getByRole("alert")).toBeVisible()
  await expectAccessible(page, "withdrawal of an unknown order", sampleViews)
  await page.locator("main [name=email]").fill(email)
  await page.locator("main form button").first().click()
  await expect(page.locator("main [name=email]:visible")).toHaveCount(0)
  await expectAccessible(page, "withdrawal, to confirm", sampleViews)
  await page.locator("main form button").first().click()
  await expect(page.locator("main form")).toHaveCount(0)
  await expectAccessible(page, "withdrawal, received", sampleViews)
})
