import { expect, type Page } from "playwright/test"
import { addressMailTo, signInMailTo } from "../../fixtures/mailbox"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { signInLink } from "../../fixtures/sign-in-link"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

/** Asks for another e-mail on the page of the account. */
async function askFor(page: Page, email: string) {
  await page.goto(`${shop.url}/checkout/success?account`)
  await page.locator("#email summary").click()
  await page.locator("#new-email-email").fill(email)
  await page.getByRole("button", { name: "Send the code" }).click()
  await expect(page.locator("#email")).toContainText(`A message is on its way to ${email}`)
}

async function fitsPhone(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT, viewport: { width: 360, height: 740 } })

    test(
      "a customer changes the email, signs in with the new one, and undoes it from the former one",
      deepUnless(!javaScriptEnabled),
      async ({ page, browser }) => {
        const [former, next] = [uniqueEmail(), uniqueEmail()]
        const username = await buyForPage(page, shop, { email: former })
        await page.goto(signInLink(shop, former))

        await askFor(page, next)
        const notice = await addressMailTo(shop, former, /Stop the change/)
        const { code } = await addressMailTo(shop, next, /type this code/)
        await fitsPhone(page)
        const wrong = code === "000000" ? "111111" : "000000"
        await page.locator("#email-code-code").fill(wrong)
        await page.getByRole("button", { name: "Change the email" }).click()
        await expect(page.locator("#email [role=alert]").first()).toContainText("That isn’t the code.")
        await page.locator("#email-code-code").fill(code)
        await page.getByRole("button", { name: "Change the email" }).click()
        await expect(page.locator(".notice")).toContainText(`Your email is ${next} now.`)
        await expect(page.locator(".account-head")).toContainText(next)
        await fitsPhone(page)

        const other = await browser.newContext({ javaScriptEnabled, userAgent: BROWSER_AGENT })
        const desktop = await other.newPage()
        await desktop.goto(`${shop.url}/checkout/?signin`)
        await desktop.locator("#sign-in-mail-email").fill(next)
        await desktop.getByRole("button", { name: "Email me a sign-in link" }).click()
        await desktop.locator("#sign-in-code-code").fill((await signInMailTo(shop, next)).code)
        await desktop.getByRole("button", { name: "Sign in" }).last().click()
        await expect(desktop.locator("main")).toContainText(username)

        const { link } = await addressMailTo(shop, former, /Undo the change/)
        expect(link).toBe(notice.link)
        const owner = await (
          await browser.newContext({ javaScriptEnabled, userAgent: BROWSER_AGENT })
        ).newPage()
        await owner.goto(link)
        await owner.getByRole("button", { name: "Undo the change" }).click()
        await expect(owner.locator("h1")).toHaveText("Your account keeps this address")
        expect((await desktop.goto(`${shop.url}/checkout/success?account`))?.status()).toBe(401)
        expect((await page.goto(`${shop.url}/checkout/success?account`))?.status()).toBe(401)
        await page.goto(signInLink(shop, former))
        await expect(page.locator("main")).toContainText(username)
        await owner.context().close()
        await other.close()
      },
    )

    test(
      "a change that its owner did not ask for is stopped before the code is typed",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const [former, next] = [uniqueEmail(), uniqueEmail()]
        await buyForPage(page, shop, { email: former })
        await page.goto(signInLink(shop, former))
        await askFor(page, next)
        const { link } = await addressMailTo(shop, former, /Stop the change/)
        await page.context().clearCookies()
        await page.goto(link)
        await fitsPhone(page)
        await page.getByRole("button", { name: "Stop the change" }).click()
        await expect(page.locator("h1")).toHaveText("Your account keeps this address")
        await page.goto(signInLink(shop, next))
        expect((await page.goto(`${shop.url}/checkout/success?account`))?.status()).toBe(401)
        // After the sign-in it goes on to the account.
        await expect(page.locator('form[action*="signin&account"]').first()).toBeAttached()
      },
    )
  })
}
