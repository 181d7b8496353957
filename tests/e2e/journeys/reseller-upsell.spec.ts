import { expect, type Page } from "playwright/test"
import { storedServices } from "../../fixtures/stored-services"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, payOn, signInByPassword } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

const PASSWORD = "correct horse battery staple"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })

    test(
      "only the signed-in reseller can buy connections for an active service",
      deepUnless(javaScriptEnabled),
      async ({ page, browser }) => {
        const email = uniqueEmail("reseller")
        const username = await buyResellerPlan(page, email)
        const id = storedServices(shop.dataDir).find((it) => it.username === username)?.id ?? ""
        await page.locator('form[action*="signout"] button').click()
        await page.goto(`${shop.url}/checkout/upsell?serviceid=${id}`)
        await expect(page).toHaveURL(`${shop.url}/checkout/resellers`)

        await page.goto(`${shop.url}/checkout/resellers/success?signin`)
        await signInByPassword(page, { email, password: PASSWORD })
        await expect(page).toHaveURL(`${shop.url}/checkout/resellers/success`)
        await page.locator('a[href*="/upsell"]').click()
        await expect(page).toHaveURL(`${shop.url}/checkout/upsell`)
        await page.locator('input[name="quantity"]').fill("4")
        if (!javaScriptEnabled) await page.locator('button[value="upsell-update"]').click()
        await expect(page.locator("main")).toContainText("€10.00")
        await page.locator('main button[value="upsell"]').click()
        await page.waitForURL((url) => url.origin === shop.sandboxUrl)
        await page.locator('button[value="paid"]').click()
        await expect(page).toHaveURL(/\/checkout\/resellers\/success$/, { timeout: 20_000 })
        await expect.poll(() => storedServices(shop.dataDir).find((it) => it.id === id)?.connections).toBe(5)

        const otherClient = await (
          await browser.newContext({ javaScriptEnabled, userAgent: BROWSER_AGENT })
        ).newPage()
        await otherClient.goto(`${shop.url}/checkout/de-de/upsell?serviceid=${id}`)
        await expect(otherClient).toHaveURL(`${shop.url}/checkout/de-de/resellers`)
        await otherClient.context().close()
      },
    )
  })
}

/** Signs up a reseller, pays for the plan and returns the username of the account. */
async function buyResellerPlan(page: Page, email: string): Promise<string> {
  await page.goto(`${shop.url}/checkout/resellers`)
  await page.locator("[name=email]").fill(email)
  await page.locator("[name=newPassword]").fill(PASSWORD)
  await page.locator("[name=confirmPassword]").fill(PASSWORD)
  await payOn(page, shop)
  await page.locator('button[value="paid"]').click()
  const name = page.getByText(/^TV[0-9A-Z]{8}$/).first()
  await expect(name).toBeVisible({ timeout: 20_000 })
  return (await name.innerText()).trim()
}
