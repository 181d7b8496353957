import { expect, test } from "playwright/test"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { startShop } from "../../support/server/server-process"

test("npm run dev serves the checkout from its sources, with script and without an error", async ({
  page,
}) => {
  test.slow()
  const program = inProject("scripts", "run", "dev-server.mjs")
  const shop = await startShop({ program, env: { NODE_ENV: "development" } })
  const errors: string[] = []
  page.on("pageerror", (error) => errors.push(error.message))
  try {
    await page.goto(`${shop.url}/checkout/`)
    const total = page.locator(".total output").first()
    const plans = page.locator('input[name="plan"]')
    await expect(plans).toHaveCount(3)
    const chosen = await plans.evaluateAll((radios) => radios.findIndex((it) => it.matches(":checked")))
    const before = (await total.textContent()) ?? ""
    // Only the script of the page changes the total without a request, and the first start takes its time to bring it.
    await expect(async () => {
      await plans.nth(chosen).check({ force: true })
      await plans.nth((chosen + 1) % 3).check({ force: true })
      await expect(total).not.toHaveText(before, { timeout: 1_000 })
    }).toPass({ timeout: 60_000 })
    expect(errors).toEqual([])
  } finally {
    await shop.stop()
  }
})
