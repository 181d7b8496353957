import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, type Page } from "playwright/test"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, payOn, scriptRuns } from "../../support/browser/page-actions"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

const folder = mkdtempSync(join(tmpdir(), "boxoffice-tax-"))
const file = join(folder, "shop.json")
const registrations = ["DE", "GB", "US"].map((country) => ({ country, number: `${country}123456789` }))
const tax = {
  country: "DE",
  confirmedOn: "2026-11-01",
  registrations,
  oneStopShop: true,
  rates: [{ country: "US", region: "New York", percent: 8 }],
  prices: { GBP: "exclusive" },
}
writeFileSync(file, JSON.stringify({ links: {}, apps: [], tax }))

let shop: TestServer
test.beforeAll(async () => {
  const env = { SHOP_FILE: file, COUNTRY_SOURCE: "header", COUNTRY_HEADER: "x-country" }
  shop = await startShop({ env })
})
test.afterAll(async () => {
  await shop.stop()
  rmSync(folder, { recursive: true })
})

/** The tax in the price of 12 months, €79.00. */
const GERMAN = "incl. 19% VAT €12.61"
const AUSTRIAN = "incl. 20% VAT €13.17"
const OF_NEW_YORK = "incl. 8% tax €5.85"
/** The tax that is added to the price of 12 months, £69.00. */
const BRITISH = "incl. 20% VAT £13.80"

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    const viewport = { width: 360, height: 740 }
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT, locale: "en-US", viewport })

    test(
      "a buyer from Germany sees that country's tax from the checkout to the receipt",
      deep,
      async ({ page }) => {
        await openFrom(page, "DE", javaScriptEnabled)
        await expectTax(page, GERMAN)
        await seeOrdered(page, GERMAN, javaScriptEnabled)
      },
    )

    test(
      "a buyer who names Austria instead sees its tax at the same price, and keeps what was filled in",
      deep,
      async ({ page }) => {
        await openFrom(page, "DE", javaScriptEnabled)
        const email = uniqueEmail()
        await page.locator("[name=email]").fill(email)
        await page.locator("select[name=country]").selectOption("AT")
        await page.getByRole("button", { name: "Change", exact: true }).click()
        await expectTax(page, AUSTRIAN)
        await expect(page.locator("select[name=country]")).toHaveValue("AT")
        await expect(page.locator("[name=email]")).toHaveValue(email)
        await expect(page.locator(".summary .total")).toContainText("€79.00")
        await seeOrdered(page, AUSTRIAN, javaScriptEnabled)
      },
    )

    test(
      "a buyer whose currency has prices without tax sees and pays them with it, from the plan to the receipt",
      deep,
      async ({ page }) => {
        await openFrom(page, "GB", javaScriptEnabled)
        await expect(page.locator(".plans")).toContainText("£82.80")
        await seeOrdered(page, BRITISH, javaScriptEnabled, "£82.80")
      },
    )

    test(
      "a buyer names the region of a country that has some, and sees its tax to the receipt",
      deep,
      async ({ page }) => {
        await openFrom(page, "US", javaScriptEnabled)
        await page.locator("select[name=region]").selectOption("New York")
        await page.getByRole("button", { name: "Change", exact: true }).click()
        await expectTax(page, OF_NEW_YORK)
        await expect(page.locator("select[name=region]")).toHaveValue("New York")
        await page.locator('input[name="plan"][value="3"]').check({ force: true })
        await seeOrdered(page, OF_NEW_YORK, javaScriptEnabled)
      },
    )

    test("a buyer from the United States sees no tax", deep, async ({ page }) => {
      await openFrom(page, "US", javaScriptEnabled)
      await expect(page.locator("select[name=country]")).toHaveValue("US")
      await seeOrdered(page, null, javaScriptEnabled)
    })
  })
}

/** The checkout of a visitor whose address is in a country, with 12 months chosen. */
async function openFrom(page: Page, country: string, hasScript: boolean): Promise<void> {
  await page.context().setExtraHTTPHeaders({ "x-country": country })
  await page.goto(`${shop.url}/checkout/`)
  if (hasScript) await scriptRuns(page)
  await page.locator('input[name="plan"][value="3"]').check({ force: true })
}

/** Orders on the checkout and pays; every page on the way names the tax, and so does the receipt. */
async function seeOrdered(
  page: Page,
  tax: string | null,
  hasScript: boolean,
  total = "€79.00",
): Promise<void> {
  await expectTax(page, tax)
  await expect(page.locator(".summary .total")).toContainText(total)
  const email = page.locator("[name=email]")
  if ((await email.inputValue()) === "") await email.fill(uniqueEmail())
  if (hasScript) await payOn(page, shop)
  else {
    // Script passes over the review step.
    await page.locator('button.main[value="pay"]:visible').first().click()
    await expect(page).toHaveURL(`${shop.url}/checkout/creatingOrder`)
    await expectTax(page, tax)
    await page.locator('form:has(input[name="draft"]) button.main').click()
  }
  const gateway = ({ origin }: URL) => origin === shop.sandboxUrl
  await page.waitForURL(gateway)
  await page.goto(`${shop.url}/checkout/waiting`)
  await expectTax(page, tax)
  await page.locator(`a[href^="${shop.sandboxUrl}"]`).first().click()
  await page.waitForURL(gateway)
  await page.locator('button[value="paid"]').click()
  const receipt = page.locator("#receipt")
  await receipt.getByRole("link", { name: "Receipt" }).click({ timeout: 40_000 })
  await expect(receipt.locator(".receipt:visible .total")).toContainText(total)
  await expectTax(page, tax)
}

/** The page names this tax, or none, and does not scroll sideways. */
async function expectTax(page: Page, tax: string | null): Promise<void> {
  const text = async () => (await page.locator("body").innerText()).replaceAll("\u00a0", " ")
  if (tax !== null) await expect.poll(text).toContain(tax)
  else expect(await text()).not.toContain("VAT")
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  expect(scrollWidth).toBe(clientWidth)
}
