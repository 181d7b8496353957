import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, type Page } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForText } from "../../fixtures/no-script-purchase"
import { becomeReseller } from "../../fixtures/reseller-purchase"
import { operatorPage, runAdmin } from "../../fixtures/signed-in-operator"
import { uniqueEmail } from "../../fixtures/unique-email"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import {
  BROWSER_AGENT,
  payAndSeeAccess,
  payOn,
  scriptRuns,
  typePromoCode,
} from "../../support/browser/page-actions"
import type { HtmlPage } from "../../support/html/html-page"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

const folder = mkdtempSync(join(tmpdir(), "boxoffice-documents-"))
const file = join(folder, "shop.json")
const tax = {
  country: "DE",
  confirmedOn: "2026-11-01",
  registrations: [{ country: "DE", number: "DE123456789" }],
  oneStopShop: true,
}
writeFileSync(file, JSON.stringify({ links: {}, apps: [], tax }))

let shop: TestServer
test.beforeAll(async () => {
  const env = { COUNTRY_SOURCE: "header", COUNTRY_HEADER: "x-country", SHOP_FILE: file }
  shop = await startShop({ env })
})
test.afterAll(async () => {
  await shop.stop()
  rmSync(folder, { recursive: true })
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT, locale: "en-US" })

    test(
      "a plan with a promo code has an invoice of what was paid, and a refund in the console a credit note",
      deep,
      async ({ page, browser }) => {
        const email = uniqueEmail()
        await page.setViewportSize({ width: 360, height: 740 })
        await page.context().setExtraHTTPHeaders({ "x-country": "DE" })
        await page.goto(`${shop.url}/checkout/`)
        if (javaScriptEnabled) await scriptRuns(page)
        await page.locator('input[name="plan"][value="3"]').check({ force: true })
        await typePromoCode(page, "WELCOME10")
        await page.locator('button[value="apply-promo"]').click()
        await expect(page.locator(".summary .total")).toContainText("€71.10")
        await page.locator("[name=email]").fill(email)
        await payOn(page, shop)
        await payAndSeeAccess(page)
        await openDocument(page, "Invoice")
        const reduced = "Taken off the prices: €7.90 with the code WELCOME10."
        await expectWords(page, ["VAT 19% on €59.75", "€11.35", "€71.10", reduced])
        await page.getByRole("link", { name: "Back" }).click()

        const desk = await operatorPage(browser, shop, { javaScriptEnabled })
        await desk.getByRole("link", { name: "Orders", exact: true }).filter({ visible: true }).click()
        await desk.getByLabel("Find an order").fill(email)
        await desk.getByRole("button", { name: "Find" }).click()
        const refund = desk.locator("details", { hasText: "Refund" })
        await refund.locator("summary").click()
        await refund.getByLabel("Amount").fill("10.00")
        await refund.getByLabel("Reason").fill("asked")
        await refund.getByRole("button").click()
        await expect(desk.getByRole("status")).toContainText("Refund of €10.00 for order")
        await desk.getByRole("link", { name: /^Credit note / }).click()
        await expectWords(desk, ["Credit note", "VAT 19% on €8.40", "€1.60", "€10.00"])
        await desk.context().close()

        await page.reload()
        await expectWords(page, ["Refunded €10.00"])
        await openDocument(page, "Credit note")
        await expectWords(page, ["VAT 19% on €8.40", "€1.60", "€10.00"])
        if (javaScriptEnabled) await expectAccessible(page, "credit note", sampleViews)
      },
    )
  })
}

test.describe("on a phone", () => {
  test.use({ userAgent: BROWSER_AGENT, locale: "en-US", viewport: { width: 320, height: 740 } })

  test("an invoice keeps a long plan name, a long email and a large amount within its page", async ({
    page,
  }) => {
    await page.context().setExtraHTTPHeaders({ "x-country": "DE" })
    await page.goto(`${shop.url}/checkout/`)
    await page.locator("[name=email]").fill(uniqueEmail())
    await payOn(page, shop)
    await payAndSeeAccess(page)
    await openDocument(page, "Invoice")
    const long = {
      ".sheet-page tbody th": "Unterhaltungselektronikfernsehgrundgebührenpaket Deluxe",
      ".sheet-page tbody td:last-child": "€1,234,567.89",
      ".sheet-parties p:last-child": "maximiliane.von-hohenzollern-sigmaringen@rechnungen.example.test",
      ".sheet-total div:last-child dd": "€1,234,567.89",
    }
    for (const [place, words] of Object.entries(long)) {
      await page
        .locator(place)
        .last()
        .evaluate((it, text) => {
          it.textContent = text
        }, words)
    }
    const sheet = page.locator(".sheet-page")
    expect(await sheet.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})

test.describe("a sale by forms alone has an invoice, and its refunds credit notes", () => {
  const german = () =>
    new Browser({ "user-agent": BROWSER_AGENT, "x-country": "DE", "accept-language": "en" })
  const bought = async (browser: Browser, plan: string) =>
    waitForText(await payAt(await goToGateway(await chooseAndPay(browser, { shop, plan }))), "Login details")

  test("a renewal", deep, async () => {
    const browser = german()
    const service = await bought(browser, "1")
    const gateway = await service.submit({ button: { value: "renew" }, fields: { cycles: "1" } })
    const renewed = await waitForText(await payAt(gateway), "Renewed until")
    const order = await expectInvoice(renewed, ["1 month", "VAT 19% on €10.08", "€1.92", "€12.00"])
    await expectRefunds(browser, order, {
      page: "success?services",
      refunds: [
        ["4.00", ["VAT 19% on €3.36", "€0.64"]],
        ["8.00", ["VAT 19% on €6.72", "€1.28"]],
      ],
    })
  })

  test("a change of plan, less the unused time", deep, async () => {
    const browser = german()
    await bought(browser, "1")
    const change = await browser.visit(`${shop.url}/checkout/success?plan=3.annually`)
    const gateway = await change.submit({ button: { value: "plan-change" } })
    const changed = await waitForText(await payAt(gateway), "12 months")
    const order = await expectInvoice(changed, [
      "12 months",
      "VAT 19% on €56.3",
      "€10.70",
      "€67.0",
      "for the unused time of 1 month.",
    ])
    await expectRefunds(browser, order, {
      page: "success?services",
      refunds: [["60.00", ["VAT 19% on €50.42", "€9.58"]]],
    })
  })

  test("reseller credits, whose page leads to the account with the invoice", deep, async () => {
    const browser = german()
    const password = "correct horse battery staple"
    const page = await becomeReseller(browser, { shop, email: uniqueEmail(), password })
    const account = await page.follow("Payments")
    const order = await expectInvoice(account, ["Reseller 25", "VAT 19% on €91.60", "€17.40", "€109.00"])
    await page.submit({ having: "notes", fields: { notes: "Leo" } })
    await expectRefunds(browser, order, {
      page: "success?account",
      refunds: [["9.00", ["VAT 19% on €7.56", "€1.44"]]],
    })
  })

  /** Reads the invoice of the last order on a page. Returns the order. */
  async function expectInvoice(page: HtmlPage, words: readonly string[]): Promise<string> {
    const invoice = await page.follow(/documents\/2\d{3}-\d{6}$/)
    expect(invoice.text).toContain("Invoice 2")
    for (const it of words) expect(plain(invoice)).toContain(it)
    const [, order] = /Order\s+([0-9A-Z]{10})\b/.exec(plain(invoice)) ?? []
    return order ?? ""
  }

  type Refunds = {
    /** Where the buyer finds the documents. */
    readonly page: string
    /** Amounts, with words of their credit notes. */
    readonly refunds: readonly (readonly [string, readonly string[]])[]
  }

  /** Pays back by the command line; the buyer reads the credit note of each refund. */
  async function expectRefunds(browser: Browser, order: string, { page, refunds }: Refunds): Promise<void> {
    for (const [amount, words] of refunds) {
      await runAdmin(shop, "orders", "refund", order, "--amount", amount, "--reason", "asked")
      const shown = await browser.visit(`${shop.url}/checkout/${page}`)
      const [last = ""] = [...shown.body.matchAll(/documents\/(CN-?2\d{3}-\d{6})"/g)]
        .map(([, it]) => it)
        .slice(-1)
      const note = await shown.follow(new RegExp(`documents/${last}$`))
      for (const it of ["Credit note", `€${amount}`, ...words]) expect(plain(note)).toContain(it)
    }
  }
})

const plain = ({ text }: HtmlPage) => text.replaceAll("\u00a0", " ")

async function openDocument(page: Page, kind: string): Promise<void> {
  const receipt = page.locator("#receipt")
  await receipt.getByRole("link", { name: "Receipt" }).first().click()
  await receipt.getByRole("link", { name: new RegExp(`^${kind} [A-Z0-9-]+$`) }).click()
  await expect(page.getByRole("heading", { level: 1, name: new RegExp(`^${kind}`) })).toBeVisible()
}

async function expectWords(page: Page, words: readonly string[]): Promise<void> {
  const text = async () => (await page.locator("body").innerText()).replaceAll("\u00a0", " ")
  for (const it of words) await expect.poll(text).toContain(it)
}
