import { expect, type Page } from "playwright/test"
import { enEn } from "~/i18n/screen-texts/en-en"
import type { Whmcs } from "../../fakes/whmcs-simulator/start"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { signInLink } from "../../fixtures/sign-in-link"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { startOnServer, startOnWhmcs, type TestServer } from "../start-shop"
import { deep } from "../tags"

const texts = enEn.account

for (const backend of ["whmcs", "remote"] as const) {
  test.describe(`the account of a customer of a shop on ${backend}`, () => {
    let shop: TestServer
    let whmcs: Whmcs | null = null
    test.beforeAll(async () => {
      if (backend === "remote") shop = (await startOnServer()).shop
      else ({ shop, whmcs } = await startOnWhmcs())
    })
    test.afterAll(() => shop.stop())

    for (const javaScriptEnabled of [true, false]) {
      test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
        test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT, viewport: { width: 360, height: 740 } })

        const services = (page: Page) => page.locator(".services li")

        /** Opens the account, once the shop has read from external billing which services can be renewed. */
        async function accountWithRenewals(page: Page, number: number) {
          await expect(async () => {
            await page.goto(`${shop.url}/checkout/success?account`)
            await expect(services(page).locator("a.quiet")).toHaveCount(number, { timeout: 500 })
          }).toPass({ timeout: 40_000 })
        }

        test(
          "shows services with ends, payments and receipts, signs other browsers out, and offers nothing that billing lacks",
          deep,
          async ({ page, browser }) => {
            const email = uniqueEmail()
            const usernames = [await buyForPage(page, shop, { email, plan: "1" })]
            const first = whmcs?.services.at(-1)
            await page.context().clearCookies()
            usernames.push(await buyForPage(page, shop, { email, plan: "1" }))
            const second = whmcs?.services.at(-1)
            const other = await browser.newContext({ javaScriptEnabled, userAgent: BROWSER_AGENT })
            const otherDevice = await other.newPage()
            await otherDevice.goto(signInLink(shop, email))
            await page.goto(signInLink(shop, email))
            // The ends are those of external billing, which the shop reads after the purchase.
            await expect(async () => {
              await page.goto(`${shop.url}/checkout/success?account`)
              for (const username of usernames)
                await expect(services(page).filter({ hasText: username }).locator("time")).toBeVisible({
                  timeout: 500,
                })
            }).toPass({ timeout: 40_000 })
            await expect(page.getByRole("heading", { level: 1 })).toHaveText(texts.heading)
            await expect(page.locator(".payments > ul > li")).toHaveCount(2)
            const wide = await page.evaluate(() => document.documentElement.scrollWidth)
            expect(wide).toBeLessThanOrEqual(360)

            // The customer's address and credit are those of external billing, which has no call for either.
            await expect(page.locator(".email-change")).toHaveCount(0)
            await expect(page.getByRole("heading", { name: texts.credit })).toHaveCount(0)
            await expect(page.getByRole("link", { name: texts.renewAll })).toHaveCount(0)

            await page.locator(".payments > ul > li a").last().click()
            await expect(page.locator(".receipt")).toBeVisible()

            if (whmcs && first && second) {
              whmcs.staff.invoice(first.id)
              whmcs.staff.invoice(second.id)
              await accountWithRenewals(page, 2)
              // One order pays one invoice.
              await expect(page.getByRole("link", { name: texts.renewAll })).toHaveCount(0)
            }

            await page.goto(`${shop.url}/checkout/success?account`)
            await page.getByRole("button", { name: texts.end }).click()
            await expect(page.locator(".notice")).toHaveText(texts.ended)
            expect((await otherDevice.goto(`${shop.url}/checkout/success`))?.status()).toBe(401)
            expect((await page.goto(`${shop.url}/checkout/success?account`))?.status()).toBe(200)
            await other.close()
          },
        )
      })
    }
  })
}
