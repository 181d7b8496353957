import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { buyForPage, orderForPage } from "../../fixtures/purchase-for-page"
import { signInLink } from "../../fixtures/sign-in-link"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, orderOn, unfold } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const visitors = [
  { javaScriptEnabled: true, prefix: "", translation: enEn, locale: "en-US" },
  { javaScriptEnabled: false, prefix: "/de-de", translation: deDe, locale: "de-DE" },
]

for (const { javaScriptEnabled, prefix, translation, locale } of visitors) {
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript in ${locale}`, () => {
    test.use({ javaScriptEnabled, locale, userAgent: BROWSER_AGENT })
    const { signIn } = translation.frame
    const yourService = translation.title.success

    test("a buyer finds the service from the checkout, while another order is open too", async ({ page }) => {
      const username = await buyForPage(page, shop, { prefix })
      const top = page.getByRole("banner")
      await expect(page.getByRole("link", { name: signIn, exact: true })).toHaveCount(0)
      await top.getByRole("link").first().click()
      await expect(page.locator("h1")).toHaveText(translation.checkout.heading)
      await expect(top.getByRole("link", { name: signIn, exact: true })).toHaveCount(0)
      await page.locator("main").getByRole("link", { name: yourService }).click()
      await expect(page.locator("main")).toContainText(username)

      await orderOn(page, shop, { email: uniqueEmail(), prefix, plan: "1" })
      await page.goto(`${shop.url}/checkout${prefix}/waiting`)
      await top.getByRole("link", { name: yourService }).click()
      await expect(page.locator("main")).toContainText(username)
    })

    test(
      "a signed-in customer finds the service from the checkout, and no link to a reseller account",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        const username = await buyForPage(page, shop, { email, prefix })
        await page.context().clearCookies()
        await page.goto(signInLink(shop, email))
        await page.goto(`${shop.url}/checkout${prefix}/resellers`)
        await expect(page.locator("main")).toContainText(email)
        const toAccount = page.getByRole("link", { name: translation.resellers.account.mine })
        await expect(toAccount).toHaveCount(0)
        await page.getByRole("banner").getByRole("link", { name: yourService }).click()
        await expect(page.locator("main")).toContainText(username)
      },
    )

    test(
      "a signed-in customer without a service gets a sign-out button and no link to a service",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        await orderForPage(page, shop, { email, prefix })
        await page.context().clearCookies()
        await page.goto(signInLink(shop, email))
        await page.goto(`${shop.url}/checkout${prefix}/success`)
        const main = page.locator("main")
        await expect(main).toContainText(translation.noService.lead.replace("{{email}}", email))
        await expect(main.getByRole("button", { name: translation.signIn.code.other })).toBeVisible()
        await main.getByRole("link", { name: translation.signIn.page.plans }).click()
        await expect(page).toHaveURL(new RegExp(`/checkout${prefix}/?$`))
        const top = page.getByRole("banner")
        for (const path of [`${prefix}/`, `${prefix}/resellers`]) {
          await page.goto(`${shop.url}/checkout${path}`)
          await expect(page.getByRole("link", { name: yourService })).toHaveCount(0)
          await expect(page.getByRole("link", { name: signIn, exact: true })).toHaveCount(0)
          await expect(top.getByRole("button", { name: translation.frame.signOut })).toBeVisible()
        }
        await top.getByRole("button", { name: translation.frame.signOut }).click()
        await expect(top.getByRole("link", { name: signIn, exact: true })).toBeVisible()
      },
    )

    test("a cancelled upsell leads back to the service", deepUnless(!javaScriptEnabled), async ({ page }) => {
      const username = await buyForPage(page, shop, { prefix })
      await (await unfold(page, "button[value=upsell]")).click()
      await page.waitForURL((url) => url.origin === shop.sandboxUrl)
      await page.goto(`${shop.url}/checkout${prefix}/waiting?abort`)
      await page.locator('button[value="abort"]').click()
      await expect(page).toHaveURL(`${shop.url}/checkout${prefix}/success?cancelled=unpaid`)
      await expect(page.locator("main")).toContainText(username)
    })
  })
}

test("the header links to the service as soon as the payment has arrived", async ({ page }) => {
  await page.context().setExtraHTTPHeaders({ "user-agent": BROWSER_AGENT })
  await page.goto(await orderForPage(page, shop))
  const waiting = await page.context().newPage()
  await waiting.goto(`${shop.url}/checkout/waiting`)
  await expect(waiting.getByRole("banner").getByRole("link", { name: enEn.frame.signIn })).toBeVisible()
  await page.locator('button[value="paid"]').click()
  await expect(waiting).toHaveURL(/\/checkout\/success$/, { timeout: 20_000 })
  await expect(waiting.getByRole("banner").getByRole("link", { name: enEn.title.success })).toBeVisible()
  await expect(waiting.getByRole("banner").getByRole("link", { name: enEn.frame.signIn })).toHaveCount(0)
})
