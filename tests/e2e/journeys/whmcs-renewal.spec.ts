import { expect, type Page } from "playwright/test"
import { deDe } from "~/i18n/screen-texts/de-de"
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

/** Text before the first placeholder. */
const startOf = (text: string) => text.split("{{")[0] ?? ""
const paymentsFor = (invoiceId: number) =>
  whmcs.calls.filter(
    ({ action, params }) => action === "AddInvoicePayment" && String(params.invoiceid) === String(invoiceId),
  )
const lineOf = (serviceId: number) => whmcs.lines.find((it) => it.serviceId === serviceId)
const creditOf = (clientId: number) => whmcs.clients.find(({ id }) => id === clientId)?.credit

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT, viewport: { width: 360, height: 740 } })

    /** Buys a month; returns the service as WHMCS has it. */
    async function bought(page: Page, prefix = "") {
      await buyForPage(page, shop, { email: uniqueEmail(), plan: "1", prefix })
      const service = whmcs.services.at(-1)
      if (!service) throw new Error("WHMCS has no service")
      return service
    }

    /** WHMCS invoices the renewal; returns the invoice. */
    function invoiced(serviceId: number) {
      whmcs.staff.invoice(serviceId)
      const invoice = whmcs.invoices.at(-1)
      if (!invoice) throw new Error("WHMCS has no invoice")
      return invoice
    }

    /** The service page, once the shop has read from WHMCS what it shall say. */
    async function pageSays(page: Page, text: string, prefix = "") {
      await expect(async () => {
        await page.goto(`${shop.url}/checkout${prefix}/success?services`)
        await expect(page.locator("main")).toContainText(text, { timeout: 500 })
      }).toPass({ timeout: 40_000 })
    }

    const renew = (page: Page) => page.locator('#renewal button[value="renew"]')

    test(
      "a service that WHMCS has paused works again once its invoice is paid, and the day after nothing is left to pay",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const service = await bought(page)
        const invoice = invoiced(service.id)
        await pageSays(page, enEn.invoice.open)
        whmcs.staff.lapse(service.id)
        expect(lineOf(service.id)?.suspended).toBe(true)
        await pageSays(page, enEn.invoice.paused)
        const due = service.nextDue

        await renew(page).click()
        await page.waitForURL((url) => url.origin === shop.sandboxUrl)
        await page.locator('button[value="paid"]').click()
        await expect(page.locator("h1")).toContainText(enEn.invoice.renewed, { timeout: 20_000 })
        expect(lineOf(service.id)?.suspended).toBe(false)
        expect(service.status).toBe("Active")
        expect(service.nextDue > due).toBe(true)
        expect(invoice.status).toBe("Paid")
        const renewedUntil = service.nextDue

        await page.goto(`${shop.url}/checkout/success?services`)
        await expect(page.locator("main")).toContainText(startOf(enEn.renewal.sameDetails))
        await expect(renew(page)).toHaveCount(0)
        expect(paymentsFor(invoice.id)).toHaveLength(1)
        expect(service.nextDue).toBe(renewedUntil)
      },
    )

    test(
      "a form that is sent after the invoice was paid in WHMCS asks for no money and says why",
      deep,
      async ({ page }) => {
        const service = await bought(page, "/de-de")
        const invoice = invoiced(service.id)
        await pageSays(page, deDe.invoice.open, "/de-de")
        const until = await page.locator(".until").innerText()
        whmcs.staff.markPaid(invoice.id)
        const renewedUntil = service.nextDue
        const answer = page.waitForResponse((response) => response.request().method() === "POST")
        await renew(page).click()
        expect((await answer).status()).toBe(422)
        await expect(page.getByRole("alert")).toContainText(deDe.invoice.gone)
        await expect(page.locator(".until")).not.toContainText(until)
        expect(paymentsFor(invoice.id)).toEqual([])
        expect(service.nextDue).toBe(renewedUntil)
      },
    )

    test(
      "an invoice paid here and in WHMCS at once renews once, and what was paid here becomes credit, in words",
      deep,
      async ({ page }) => {
        const service = await bought(page)
        const invoice = invoiced(service.id)
        await pageSays(page, enEn.invoice.open)
        await renew(page).click()
        await page.waitForURL((url) => url.origin === shop.sandboxUrl)
        whmcs.staff.markPaid(invoice.id)
        const renewedUntil = service.nextDue
        await page.locator('button[value="paid"]').click()
        await expect(page.locator("main")).toContainText(enEn.invoice.credited, { timeout: 20_000 })
        expect(paymentsFor(invoice.id)).toEqual([])
        expect(creditOf(service.clientId)).toBe(12_00)
        expect(service.nextDue).toBe(renewedUntil)
      },
    )
  })
}
