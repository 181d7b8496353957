import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { expect, type Page } from "playwright/test"
import { MINUTE } from "~/domain/calendar"
import { enEn } from "~/i18n/translations/en-en"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

test(
  "npm run dev serves the first page from source, with working JavaScript and without a page error or a failed request",
  deep,
  async ({ page }) => {
    test.setTimeout(4 * MINUTE)
    const copy = copyProject()
    const shop = await startDevelopment(copy)
    try {
      const errors: string[] = []
      page.on("pageerror", (error) => errors.push(error.message))
      page.on("response", (response) => {
        if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`)
      })
      for (const path of ["", "resellers", ""]) {
        await page.goto(`${shop.url}/checkout/${path}`)
        await expectScriptToCalculate(page)
      }
      expect(errors).toEqual([])
    } finally {
      await shop.stop()
      rmSync(copy, { recursive: true, force: true })
    }
  },
)

/** Upper limit from an edit to its effect in the browser. */
const SEEN_WITHIN_MS = 2_000

test(
  "an edit of a component shows within two seconds on the page that npm run dev has sent, and what was typed stays",
  deep,
  async ({ page }) => {
    test.setTimeout(4 * MINUTE)
    const copy = copyProject()
    const shop = await startDevelopment(copy)
    try {
      await page.goto(`${shop.url}/checkout/`)
      await expectScriptToCalculate(page)
      const email = page.getByLabel(enEn.checkout.email.label).first()
      await email.fill("ana@example.test")
      const file = join(copy, "app", "ui", "checkout", "promo-field.tsx")
      const source = readFileSync(file, "utf8")
      const times: number[] = []
      for (const edit of ["first edit", "second edit", "third edit"]) {
        const start = performance.now()
        writeFileSync(file, source.replace('{t("checkout.promo.ask")}', `{t("checkout.promo.ask")} ${edit}`))
        await expect(page.getByText(edit).first()).toBeVisible({ timeout: 60_000 })
        times.push(performance.now() - start)
      }
      // A reload would have emptied the field.
      await expect(email).toHaveValue("ana@example.test")
      // The best of three: a busy machine may hold up any single one.
      expect(Math.min(...times)).toBeLessThan(SEEN_WITHIN_MS)
    } finally {
      await shop.stop()
      rmSync(copy, { recursive: true, force: true })
    }
  },
)

function startDevelopment(copy: string): Promise<TestServer> {
  const program = join(copy, "scripts", "run", "dev-server.mjs")
  return startShop({ program, env: { NODE_ENV: "development" } })
}

/**
 * A copy of the sources, within the project's folder so that its packages are found. As after an installation, Vite has
 * prepared none of the packages. It does not watch `test-results`.
 */
function copyProject(): string {
  mkdirSync(inProject("build"), { recursive: true })
  const copy = mkdtempSync(inProject("build", "development-"))
  const names = [
    "app",
    "public",
    "scripts",
    "package.json",
    "react-router.config.ts",
    "tsconfig.json",
    "vite.config.ts",
  ]
  for (const name of names) cpSync(inProject(name), join(copy, name), { recursive: true })
  const packages = join(copy, "node_modules")
  mkdirSync(packages)
  for (const name of readdirSync(inProject("node_modules")))
    if (!name.startsWith(".vite")) symlinkSync(inProject("node_modules", name), join(packages, name))
  return copy
}

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
