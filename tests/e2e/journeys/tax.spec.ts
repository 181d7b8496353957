import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, type Page } from "playwright/test"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
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

const germanFile = join(folder, "german.json")
const german = { ...tax, registrations: [{ country: "DE", number: "DE123456789" }], rates: [], prices: {} }
writeFileSync(germanFile, JSON.stringify({ links: {}, apps: [], tax: german }))

const unregisteredFile = join(folder, "unregistered.json")
const unregistered = { ...tax, registrations: [], oneStopShop: false }
writeFileSync(unregisteredFile, JSON.stringify({ links: {}, apps: [], tax: unregistered }))

let shop: TestServer
/** Of a seller who is registered in Germany alone. */
let germanShop: TestServer
/** Of a seller who is registered nowhere. */
let smallShop: TestServer
test.beforeAll(async () => {
  const env = { COUNTRY_SOURCE: "header", COUNTRY_HEADER: "x-country" }
  shop = await startShop({ env: { ...env, SHOP_FILE: file } })
  germanShop = await startShop({ env: { ...env, SHOP_FILE: germanFile } })
  smallShop = await startShop({ env: { ...env, SHOP_FILE: unregisteredFile } })
})
test.afterAll(async () => {
  await shop.stop()
  await germanShop.stop()
  await smallShop.stop()
  rmSync(folder, { recursive: true })
})

/** The tax in the price of 12 months, €79.00. */
const GERMAN = "incl. 19% VAT €12.61"
const AUSTRIAN = "incl. 20% VAT €13.17"
const OF_NEW_YORK = "incl. 8% tax €5.85"
/** The tax that is added to the price of 12 months, £69.00. */
const BRITISH = "incl. 20% VAT £13.80"
const REVERSE_CHARGE = "Reverse charge: your business accounts for the VAT."

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
      "a buyer reads the pro forma before paying and the invoice after, prints it, and old links lead there",
      deep,
      async ({ page }) => {
        await openFrom(page, "DE", javaScriptEnabled)
        await seeOrdered(page, GERMAN, javaScriptEnabled, {
          beforePaying: () => readProforma(page, javaScriptEnabled),
        })
        await readInvoice(page, javaScriptEnabled)
        await page.goto(proforma)
        await expect(page.getByRole("heading", { level: 1, name: /^Invoice 2\d{3}-\d{6}$/ })).toBeVisible()
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
        await seeOrdered(page, AUSTRIAN, javaScriptEnabled, { confirms: "Austria" })
      },
    )

    test(
      "a buyer whose currency has prices without tax sees and pays them with it, from the plan to the receipt",
      deep,
      async ({ page }) => {
        await openFrom(page, "GB", javaScriptEnabled)
        await expect(page.locator(".plans")).toContainText("£82.80")
        await seeOrdered(page, BRITISH, javaScriptEnabled, { price: "£82.80" })
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

    for (const [country, price] of [
      ["US", "€79.00"],
      ["CH", "€79.00"],
      ["GB", "£69.00"],
    ] as const)
      test(`a buyer from ${country}, whom the seller does not tax, sees no tax`, deep, async ({ page }) => {
        await openFrom(page, country, javaScriptEnabled, germanShop)
        await expect(page.locator("select[name=country]")).toHaveValue(country)
        await seeOrdered(page, null, javaScriptEnabled, { price, at: germanShop })
      })

    test("a French business pays the price without tax, and owes the tax itself", deep, async ({ page }) => {
      await openFrom(page, "FR", javaScriptEnabled)
      const email = uniqueEmail()
      await page.locator("[name=email]").fill(email)
      await page.getByRole("button", { name: "Buying for a business?" }).click()
      await expect(page).toHaveURL(`${shop.url}/checkout/business`)
      await stateBusiness(page, "FR40303265046")
      await expect(page.locator("#business-taxNumber-problem")).toContainText("This isn’t a VAT number")
      if (javaScriptEnabled) await expectAccessible(page, "business, refused", sampleViews)
      await expect(page.getByLabel("Company name")).toHaveValue("Lumière & Fils SARL")
      await stateBusiness(page, "FR 40 303 265 045")
      await expect(page).toHaveURL(`${shop.url}/checkout/`)
      if (javaScriptEnabled) await scriptRuns(page)
      await expectTax(page, REVERSE_CHARGE)
      await expect(page.locator(".summary")).toContainText("Lumière & Fils SARL, VAT number FR40303265045")
      await expect(page.locator("[name=email]")).toHaveValue(email)
      await expect(page.locator(".summary .total")).toContainText("€65.83")
      await seeOrdered(page, REVERSE_CHARGE, javaScriptEnabled, { price: "€65.83" })
    })

    test("a buyer of a seller who is registered nowhere sees no tax", deep, async ({ page }) => {
      await openFrom(page, "DE", javaScriptEnabled, smallShop)
      await seeOrdered(page, null, javaScriptEnabled, { at: smallShop })
    })
  })
}

/** The checkout of a visitor whose address is in a country, with 12 months chosen. */
async function openFrom(page: Page, country: string, hasScript: boolean, at = shop): Promise<void> {
  await page.context().setExtraHTTPHeaders({ "x-country": country })
  await page.goto(`${at.url}/checkout/`)
  if (hasScript) await scriptRuns(page)
  await page.locator('input[name="plan"][value="3"]').check({ force: true })
}

/** Fills in the page of the business, and saves it. */
async function stateBusiness(page: Page, number: string): Promise<void> {
  await expectTax(page, "VAT number")
  await page.getByLabel("VAT number").fill(number)
  await page.getByLabel("Company name").fill("Lumière & Fils SARL")
  await page.getByLabel("Street and number").fill("1 rue de la Paix")
  await page.getByLabel("Postcode and city").fill("75002 Paris")
  await page.getByRole("button", { name: "Save" }).click()
}

/** Address of the pro forma invoice that was read last. */
let proforma = ""

/** Reads the pro forma invoice of the order that waits, and goes back to it. */
async function readProforma(page: Page, hasScript: boolean): Promise<void> {
  await page.getByRole("link", { name: "Pro forma invoice" }).click()
  await expect(page.getByRole("heading", { level: 1, name: /^Pro forma invoice/ })).toBeVisible()
  proforma = page.url()
  await expectTax(page, "This is not an invoice.")
  await expectTax(page, "€12.61")
  await expect(page.getByRole("link", { name: "Save as XML" })).toHaveCount(0)
  if (hasScript) await expectAccessible(page, "pro forma invoice", sampleViews)
  await page.getByRole("link", { name: "Back" }).click()
  await expect(page).toHaveURL(/\/checkout\/waiting/)
}

/** Reads the invoice from the receipt; what is printed has no links. */
async function readInvoice(page: Page, hasScript: boolean): Promise<void> {
  const link = page.locator("#receipt").getByRole("link", { name: /^Invoice 2\d{3}-\d{6}$/ })
  await link.click()
  await expect(page.getByRole("heading", { level: 1, name: /^Invoice/ })).toBeVisible()
  await expectTax(page, "VAT 19% on €66.39")
  if (hasScript) await expectAccessible(page, "invoice", sampleViews)
  await page.emulateMedia({ media: "print" })
  await expect(page.getByRole("link", { name: "Save as PDF" })).toBeHidden()
  await expect(page.getByRole("cell", { name: "€79.00" })).toBeVisible()
  await page.emulateMedia({ media: "screen" })
  const saved = page.waitForEvent("download")
  await page.getByRole("link", { name: "Save as PDF" }).click()
  expect((await saved).suggestedFilename()).toMatch(/^2\d{3}-\d{6}\.pdf$/)
}

type Ordered = {
  /** What the buyer does on the waiting page before paying. */
  readonly beforePaying?: () => Promise<void>
  readonly price?: string
  /** The country that the buyer confirms, asked which one is right. */
  readonly confirms?: string
  readonly at?: TestServer
}

/** Orders on the checkout and pays; every page on the way names the tax, and so does the receipt. */
async function seeOrdered(
  page: Page,
  tax: string | null,
  hasScript: boolean,
  { price = "€79.00", confirms, at = shop, beforePaying }: Ordered = {},
): Promise<void> {
  await expectTax(page, tax)
  await expect(page.locator(".summary .total")).toContainText(price)
  const email = page.locator("[name=email]")
  if ((await email.inputValue()) === "") await email.fill(uniqueEmail())
  if (hasScript && !confirms) await payOn(page, at)
  else await page.locator('button.main[value="pay"]:visible').first().click()
  if (confirms) {
    await expect(page).toHaveURL(`${at.url}/checkout/country`)
    if (hasScript) await expectAccessible(page, "question of the country", sampleViews)
    await page.getByRole("button", { name: confirms, exact: true }).click()
  }
  // Script passes over the review step.
  if (!hasScript) {
    await expect(page).toHaveURL(`${at.url}/checkout/creatingOrder`)
    await expectTax(page, tax)
    await page.locator('form:has(input[name="draft"]) button.main').click()
  }
  const gateway = ({ origin }: URL) => origin === at.sandboxUrl
  await page.waitForURL(gateway)
  await page.goto(`${at.url}/checkout/waiting`)
  await expectTax(page, tax)
  await beforePaying?.()
  await page.locator(`a[href^="${at.sandboxUrl}"]`).first().click()
  await page.waitForURL(gateway)
  await page.locator('button[value="paid"]').click()
  const receipt = page.locator("#receipt")
  await receipt.getByRole("link", { name: "Receipt" }).click({ timeout: 40_000 })
  await expect(receipt.locator(".receipt:visible .total")).toContainText(price)
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
