import { expect, type Page } from "playwright/test"
import { enEn } from "~/i18n/screen-texts/en-en"
import type { Whmcs } from "../../fakes/whmcs-simulator/start"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { startOnWhmcs, type TestServer } from "../start-shop"
import { deep, deepUnless } from "../tags"

let shop: TestServer
let whmcs: Whmcs
test.beforeAll(async () => {
  const started = await startOnWhmcs()
  shop = started.shop
  whmcs = started.whmcs
})
test.afterAll(() => shop.stop())

const texts = enEn.plan
const YEAR = "12 months"
/** Text before the first placeholder. */
const startOf = (text: string) => text.split("{{")[0] ?? ""

function ordersFor(serviceId: number) {
  return whmcs.calls.filter(
    ({ action, params }) =>
      action === "UpgradeProduct" &&
      String(params.serviceid) === String(serviceId) &&
      params.calconly !== "1",
  )
}
function paymentsFor(invoiceId: number) {
  return whmcs.calls.filter(
    ({ action, params }) => action === "AddInvoicePayment" && String(params.invoiceid) === String(invoiceId),
  )
}
const creditOf = (clientId: number) => whmcs.clients.find(({ id }) => id === clientId)?.credit
const figures = (page: Page) => page.locator("main .lines")
const submit = (page: Page) => page.locator('button[value="plan-upgrade"]')

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT, viewport: { width: 360, height: 740 } })

    /** Buys a month; returns the service as WHMCS has it. */
    async function bought(page: Page) {
      await buyForPage(page, shop, { email: uniqueEmail(), plan: "1" })
      const service = whmcs.services.at(-1)
      if (!service) throw new Error("WHMCS has no service")
      return service
    }

    /** The service page, once the shop has read from WHMCS what it shall say. */
    async function pageSays(page: Page, text: string) {
      await expect(async () => {
        await page.goto(`${shop.url}/checkout/success?services`)
        await expect(page.locator("main")).toContainText(text, { timeout: 500 })
      }).toPass({ timeout: 40_000 })
    }

    /** Looks at what a year costs instead of the month that is paid. */
    async function chooseYear(page: Page) {
      await pageSays(page, texts.change)
      await page.getByRole("link", { name: texts.change }).click()
      await page.getByRole("link", { name: YEAR }).click()
      await expect(figures(page)).toContainText(texts.due)
    }

    async function goToPayment(page: Page) {
      await submit(page).click()
      await page.waitForURL((url) => url.origin === shop.sandboxUrl)
      const invoice = whmcs.invoices.at(-1)
      if (!invoice) throw new Error("WHMCS has no invoice")
      return invoice
    }

    const payHere = (page: Page) => page.locator('button[value="paid"]').click()

    test(
      "a change is priced by WHMCS before it is ordered, paid here once, and carried out there",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const service = await bought(page)
        await chooseYear(page)
        expect(ordersFor(service.id)).toEqual([])
        const shown = await figures(page).locator("li").first().innerText()
        const invoice = await goToPayment(page)
        const total = invoice.items.reduce((sum, { amount }) => sum + amount, 0)
        expect(shown).toContain((total / 100).toFixed(2))
        expect(ordersFor(service.id)).toHaveLength(1)
        expect(service.pid).toBe("1")
        await payHere(page)
        await expect(page.locator("h1")).toHaveText(texts.changed.replace("{{plan}}", YEAR), {
          timeout: 20_000,
        })
        expect(service).toMatchObject({ pid: "3", cycle: "annually" })
        expect(paymentsFor(invoice.id)).toHaveLength(1)
        await expect(page.locator(".place")).toContainText(YEAR)
      },
    )

    test(
      "a change for less costs nothing, is carried out at once, and WHMCS credits the difference",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const service = await bought(page)
        await chooseYear(page)
        await goToPayment(page)
        await payHere(page)
        await expect(page.locator("h1")).toContainText(YEAR, { timeout: 20_000 })
        await page.goto(`${shop.url}/checkout/success?plan=1.monthly`)
        await expect(figures(page)).toContainText(texts.difference)
        await expect(page.locator("main")).toContainText(texts.upgradeLess)
        const invoices = whmcs.invoices.length
        await submit(page).click()
        await page.waitForURL(/\/success/)
        await expect.poll(() => service.pid).toBe("1")
        expect(creditOf(service.clientId)).toBeGreaterThan(0)
        expect(whmcs.invoices).toHaveLength(invoices)
      },
    )

    test(
      "an unpaid change can be paid later or taken back, and no other one is ordered meanwhile",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const service = await bought(page)
        await chooseYear(page)
        const invoice = await goToPayment(page)
        await pageSays(page, startOf(texts.unpaid))
        await page.getByRole("link", { name: texts.payChange }).click()
        // In the browser that ordered it, the page of the order.
        await page.waitForURL(/\/waiting/)
        await expect(page.locator("main")).toContainText(startOf(texts.waitingUpgrade))
        await page.goto(`${shop.url}/checkout/success?services&plan=1.monthly`)
        await expect(page.locator(".plan-choices")).toHaveCount(0)
        expect(ordersFor(service.id)).toHaveLength(1)
        await pageSays(page, startOf(texts.unpaid))
        await page.locator('button[value="plan-keep"]').click()
        await expect(page.getByRole("link", { name: texts.change })).toBeVisible()
        await expect.poll(() => invoice.status).toBe("Cancelled")
      },
    )

    test(
      "a change paid here and in WHMCS at once is made once, and what was paid here becomes credit, in words",
      deep,
      async ({ page }) => {
        const service = await bought(page)
        await chooseYear(page)
        const invoice = await goToPayment(page)
        whmcs.staff.markPaid(String(invoice.id))
        await payHere(page)
        await expect(page.locator("main")).toContainText(texts.credited, { timeout: 20_000 })
        expect(paymentsFor(invoice.id)).toEqual([])
        expect(creditOf(service.clientId)).toBe(invoice.items.reduce((sum, { amount }) => sum + amount, 0))
        expect(service.pid).toBe("3")
      },
    )

    test(
      "a change that was paid in WHMCS needs no payment here",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const service = await bought(page)
        await chooseYear(page)
        const invoice = await goToPayment(page)
        whmcs.staff.markPaid(String(invoice.id))
        expect(service.pid).toBe("3")
        await pageSays(page, YEAR)
        expect(paymentsFor(invoice.id)).toEqual([])
      },
    )

    test(
      "a change whose answer was lost is found in WHMCS and paid, not ordered again",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const service = await bought(page)
        await chooseYear(page)
        whmcs.quirks.dropResponse("UpgradeProduct")
        const answer = page.waitForResponse((response) => response.request().method() === "POST")
        await submit(page).click()
        await answer
        await pageSays(page, startOf(texts.unpaid))
        await page.getByRole("link", { name: texts.payChange }).click()
        // The order is looked up in WHMCS first; with script the page then continues by itself.
        if (!javaScriptEnabled) await page.locator("main button.main").click({ timeout: 40_000 })
        await page.waitForURL((url) => url.origin === shop.sandboxUrl)
        await payHere(page)
        await expect(page.locator("h1")).toContainText(YEAR, { timeout: 20_000 })
        expect(ordersFor(service.id)).toHaveLength(1)
        expect(service.pid).toBe("3")
      },
    )

    test(
      "a change for less that WHMCS refuses after pricing it is said not to be made, at once or later",
      deep,
      async ({ page }) => {
        const service = await bought(page)
        await chooseYear(page)
        await expect(page.locator("main")).toContainText(texts.upgradeWhole)
        await goToPayment(page)
        await payHere(page)
        await expect(page.locator("h1")).toContainText(YEAR, { timeout: 20_000 })
        await page.goto(`${shop.url}/checkout/success?plan=1.monthly`)
        await expect(page.locator("main")).not.toContainText(texts.upgradeWhole)
        const notMade = texts.notMade.replace("{{plan}}", "1 month").replace("{{present}}", YEAR)
        whmcs.quirks.refusesUpgradeOrders = "Upgrades are not allowed for this product"
        const answer = page.waitForResponse((response) => response.request().method() === "POST")
        await submit(page).click()
        expect((await answer).status()).toBe(422)
        await expect(page.getByRole("alert")).toHaveText(notMade)
        // Access denied is no answer to the change: it is asked for again.
        whmcs.quirks.refusesUpgradeOrders = "Invalid Permissions: API action is not allowed"
        await submit(page).click()
        await page.waitForURL(/\/success/)
        await expect(page.locator("main")).not.toContainText(notMade)
        whmcs.quirks.refusesUpgradeOrders = "Upgrades are not allowed for this product"
        await pageSays(page, notMade)
        expect(service.pid).toBe("3")
        whmcs.quirks.refusesUpgradeOrders = null
      },
    )

    test(
      "what WHMCS does not allow is said on the page, before and after the form",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        await bought(page)
        await chooseYear(page)
        whmcs.quirks.refusesUpgrades = "Upgrades are not allowed for this product"
        const answer = page.waitForResponse((response) => response.request().method() === "POST")
        await submit(page).click()
        expect((await answer).status()).toBe(422)
        await expect(page.locator("main")).toContainText(texts.notAllowed)
        whmcs.quirks.refusesUpgrades = null
      },
    )
  })
}
