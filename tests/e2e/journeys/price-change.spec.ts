import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "playwright/test"
import { DAY } from "~/domain/calendar"
import { enEn } from "~/i18n/translations/en-en"
import { uniqueEmail } from "../../fixtures/unique-email"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop } from "../../support/server/server-process"
import { test } from "../shop-test"

test("a price increase during the checkout is shown and confirmed before an order is created", async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-"))
  const shop = await startShop({ dataDir: folder })
  const file = join(folder, "prices.json")
  const admin = (...args: string[]) => runServerCommand(["admin", ...args], { DATA_DIR: folder })

  await page.goto(`${shop.url}/checkout/`)
  await page.locator("[name=email]").fill(uniqueEmail())
  await admin("catalogue", "export", file)
  writeFileSync(file, readFileSync(file, "utf8").replace('"79.00"', '"99.00"'))
  await admin("catalogue", "import", file)

  await page.locator('button.main[value="pay"]:visible').click()
  await expect(page.getByRole("alert")).toHaveText(enEn.review["price-changed"])
  await expect(page.locator("main")).toContainText("€99.00")
  expect((await admin("orders", "list")).output).toBe("No orders.\n")

  await page.locator('form:has(input[name="draft"]) button').click()
  await page.waitForURL((url) => url.origin === shop.sandboxUrl)
  expect((await admin("orders", "list")).output).toContain("of 99.00 EUR")
  await shop.stop()
  rmSync(folder, { recursive: true, force: true })
})

test("a price that is scheduled comes into force during the checkout: the buyer is asked, and pays it once", async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "boxoffice-"))
  const shop = await startShop({ dataDir: folder })
  const admin = (...args: string[]) => runServerCommand(["admin", ...args], { DATA_DIR: folder })
  const from = ["--from", new Date(Date.now() + 2 * DAY).toISOString().slice(0, 10)]
  await admin("catalogue", "schedule-price", "3", "--price", "99.00", ...from, "--reason", "costs")

  await page.goto(`${shop.url}/checkout/`)
  await page.locator("[name=email]").fill(uniqueEmail())
  await admin("clock", "advance", "3d")
  await expect
    .poll(async () => (await (await fetch(`${shop.url}/checkout/`)).text()).includes("€99.00"))
    .toBe(true)

  await page.locator('button.main[value="pay"]:visible').click()
  await expect(page.getByRole("alert")).toHaveText(enEn.review["price-changed"])
  await page.locator('form:has(input[name="draft"]) button').click()
  await page.waitForURL((url) => url.origin === shop.sandboxUrl)
  expect((await admin("orders", "list")).output).toContain("of 99.00 EUR")
  await shop.stop()
  rmSync(folder, { recursive: true, force: true })
})
