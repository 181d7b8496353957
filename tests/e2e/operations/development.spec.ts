import { expect, type Page } from "playwright/test"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { startShop } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

test(
  "npm run dev serves the checkout from source, with working JavaScript and without a page error",
  deep,
  async ({ page }) => {
    test.slow()
    const program = inProject("scripts", "run", "dev-server.mjs")
    const shop = await startShop({ program, env: { NODE_ENV: "development" } })
    try {
      await page.goto(`${shop.url}/checkout/`)
      await expectScriptToCalculate(page)
      // On the first visit Vite prepares packages for the browser and reloads the page afterwards, so errors count from
      // the second visit on.
      const errors: string[] = []
      page.on("pageerror", (error) => errors.push(error.message))
      await page.goto(`${shop.url}/checkout/resellers`)
      await page.goto(`${shop.url}/checkout/`)
      await expectScriptToCalculate(page)
      expect(errors).toEqual([])
    } finally {
      await shop.stop()
    }
  },
)

/**
 * Changing the plan updates the total without a request, so only the script of the page can have done it. Retries until
 * the script has loaded.
 */
async function expectScriptToCalculate(page: Page): Promise<void> {
  const total = page.locator(".total output").first()
  const plans = page.locator('input[name="plan"]')
  await expect(plans).toHaveCount(3)
  await expect(async () => {
    await plans.nth(0).check({ force: true })
    const before = (await total.textContent()) ?? ""
    await plans.nth(2).check({ force: true })
    await expect(total).not.toHaveText(before, { timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
}
