import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, type Page } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, scriptRuns } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeEach(async () => {
  shop = await startShop()
})
test.afterEach(() => shop.stop())

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })

    test(
      "a plan that sells out while it is chosen leaves the page, which says so and chooses another one",
      deepUnless(!javaScriptEnabled),
      async ({ page, browser }) => {
        await page.goto(`${shop.url}/checkout/`)
        await (javaScriptEnabled && scriptRuns(page))
        await page.locator('input[name="plan"][value="2"]').check({ force: true })
        const email = uniqueEmail()
        await page.locator("[name=email]").fill(email)
        await sellOut(await browser.newPage())
        await page.locator('button.main[value="pay"]:visible').first().click()
        await expect(page.getByText(enEn.checkout.plan.gone).first()).toBeVisible()
        await expect(page.locator('input[name="plan"]')).toHaveCount(2)
        const chosen = page.locator('input[name="plan"]:checked')
        await expect(chosen).toHaveCount(1)
        await expect(page.locator("[name=email]")).toHaveValue(email)
        const price = page.locator(".plan", { has: chosen }).locator(".plan-billed")
        const total = (await page.locator(".summary .total output").innerText()).trim()
        await expect(price).toContainText(total)
      },
    )
  })
}

/** Takes the second plan out of the catalogue, and waits until the running shop has read it. */
async function sellOut(page: Page): Promise<void> {
  const file = join(shop.dataDir, "catalogue.json")
  const env = { DATA_DIR: shop.dataDir }
  await runServerCommand(["admin", "catalogue", "export", file], env)
  const catalogue: { plans: { pid: number | string }[] } = JSON.parse(readFileSync(file, "utf8"))
  const plans = catalogue.plans.filter(({ pid }) => String(pid) !== "2")
  writeFileSync(file, JSON.stringify({ ...catalogue, plans, promotions: [] }))
  await runServerCommand(["admin", "catalogue", "import", file], env)
  await expect(async () => {
    await page.goto(`${shop.url}/checkout/`)
    await expect(page.locator('input[name="plan"]')).toHaveCount(2, { timeout: 100 })
  }).toPass()
}
