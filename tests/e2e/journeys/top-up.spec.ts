import { expect, type Page, test } from "playwright/test"
import { DAY } from "~/domain/calendar"
import { enEn } from "~/i18n/screen-texts/en-en"
import { signInMailTo } from "../../fixtures/mailbox"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { storedTerm } from "../../fixtures/stored-terms"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, unfold } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop, type TestServer } from "../../support/server/server-process"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async () => {
  shop = await startShop()
})
test.afterAll(() => shop.stop())
test.use({ userAgent: BROWSER_AGENT })

/** Signs a customer in for the whole account, by the link of a message. */
async function signIn(page: Page, email: string, mails: number): Promise<void> {
  await page.context().clearCookies()
  await page.goto(`${shop.url}/checkout/?signin`)
  await page.locator("#sign-in-mail-email").fill(email)
  await page.locator('button[value="sign-in-mail"]').click()
  const { link } = await signInMailTo(shop, email, mails)
  await page.goto(link)
  await page.locator("main button.main").click()
  await page.waitForURL(/\/success/)
}

async function press(page: Page, intent: string): Promise<void> {
  await (await unfold(page, `button[value="${intent}"]`)).click()
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled })

    test(
      "account credit is bought, renews the service at its end by consent, and one press stops that",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail("tops-up")
        const username = await buyForPage(page, shop, { email, plan: "1" })
        await expect(page.locator('button[value="topup"]')).toHaveCount(0)
        await signIn(page, email, 1)
        const before = storedTerm(shop.dataDir, username).paid_until

        await (await unfold(page, 'input[name="amount"][value="2500"]')).check({ force: true })
        await press(page, "topup")
        await page.waitForURL((url) => url.origin === shop.sandboxUrl)
        await page.locator('button[value="paid"]').click()
        await expect(page.locator("h1")).toHaveText(enEn.topUp.done.replace("{{amount}}", "€25.00"), {
          timeout: 20_000,
        })
        await expect(page.locator("main")).toContainText(enEn.topUp.now.replace("{{credit}}", "€25.00"))
        expect(storedTerm(shop.dataDir, username).paid_until).toBe(before)

        await press(page, "balance-on")
        await expect(page.locator('button[value="balance-off"]')).toHaveText(enEn.balance.stop)
        await runServerCommand(["admin", "clock", "advance", "32d"], { DATA_DIR: shop.dataDir })
        await expect
          .poll(() => storedTerm(shop.dataDir, username).paid_until, { timeout: 90_000 })
          .toBeGreaterThan(before + 27 * DAY)
        await signIn(page, email, 2)
        await expect(page.locator("#renewal")).toContainText("€13.00")
        await press(page, "balance-off")
        await expect(page.locator('button[value="balance-off"]')).toHaveCount(0)
        await expect(page.locator('button[value="balance-on"]')).toHaveCount(1)
      },
    )
  })
}
