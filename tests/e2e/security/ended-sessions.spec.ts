import { expect, type Page } from "playwright/test"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { signInLink } from "../../fixtures/sign-in-link"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { rawRequest } from "../../support/http/raw-request"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

const PASSWORD = "correct horse battery staple"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

/** URLs with customer data, as the browser and its script request them. */
const paths = [
  "success",
  "success/playlist.m3u8",
  "api/order-status",
  "waiting",
  "creatingOrder",
  "success.data",
  "waiting.data",
  "upsell.data",
  "resellers/success.data",
  "de-de/success",
]

/** The session cookie, as an attacker would copy it. */
async function copyOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies()
  return `checkout=${cookies.find(({ name }) => name === "checkout")?.value}`
}

/** Paths on which a copied cookie shows one of the texts. */
async function shownTo(cookie: string, texts: readonly string[]): Promise<string[]> {
  const shown: string[] = []
  for (const path of paths) {
    const { body } = await rawRequest(shop.url, `/checkout/${path}`, { headers: { cookie } })
    if (texts.some((text) => body.includes(text))) shown.push(path)
  }
  return shown
}

/** `mark` is a field of the order status that the waiting page polls. */
const secretsOf = (username: string) => [username, '"mark"', "#EXTM3U"]
const everything = ["success", "success/playlist.m3u8", "api/order-status", "success.data", "de-de/success"]

async function followLink(page: Page, email: string): Promise<void> {
  await page.goto(signInLink(shop, email))
  await expect(page).toHaveURL(/\/checkout\/success$/)
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })
    test(
      "forgetting the device ends every copy of the cookie of a buyer who never signed in",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const username = await buyForPage(page, shop)
        const copy = await copyOf(page)
        expect((await shownTo(copy, secretsOf(username))).toSorted()).toEqual(everything.toSorted())

        await page.getByRole("link", { name: "Forget this device" }).click()
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("Forget this device?")
        await page.getByRole("link", { name: "Keep everything" }).click()
        await expect(page.locator("code", { hasText: username })).toBeVisible()
        await page.getByRole("link", { name: "Forget this device" }).click()
        await page.getByRole("button", { name: "Forget everything" }).click()
        await expect(page).toHaveURL(`${shop.url}/checkout/`)
        await expect(page.locator("[name=email]")).toHaveValue("")
        await expect(page.getByRole("link", { name: "Forget this device" })).toHaveCount(0)
        expect(await shownTo(copy, secretsOf(username))).toEqual([])
        expect((await page.goto(`${shop.url}/checkout/success`))?.status()).toBe(401)
      },
    )

    test(
      "signing out ends every copy of the cookie, including copies from before signing in",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        const username = await buyForPage(page, shop, { email })
        const before = await copyOf(page)
        await followLink(page, email)
        const copy = await copyOf(page)
        await expect(page.getByRole("link", { name: "Forget this device" })).toHaveCount(0)
        expect(await shownTo(copy, secretsOf(username))).toContain("success")
        await page.locator('form[action*="signout"] button').click()
        await expect(page).toHaveURL(`${shop.url}/checkout/`)
        expect(await shownTo(copy, secretsOf(username))).toEqual([])
        expect(await shownTo(before, secretsOf(username))).toEqual([])
      },
    )

    test(
      "a new password ends all other sessions and every copy of a cookie, but not the current browser's session",
      deepUnless(javaScriptEnabled),
      async ({ page, browser }) => {
        const email = uniqueEmail()
        const username = await buyForPage(page, shop, { email })
        const bought = await copyOf(page)
        await followLink(page, email)
        const other = await browser.newContext({ javaScriptEnabled, userAgent: BROWSER_AGENT })
        const otherDevice = await other.newPage()
        await followLink(otherDevice, email)
        const copies = [bought, await copyOf(page), await copyOf(otherDevice)]

        const form = page.locator('form:has(button[value="password"])')
        if (!(await form.isVisible()))
          await page.locator('details:has(button[value="password"]) summary').click()
        await form.locator('input[name="password"]').fill(PASSWORD)
        await form.locator('button[value="password"]').click()
        await expect(page).toHaveURL(/done=password/)
        for (const copy of copies) expect(await shownTo(copy, secretsOf(username))).toEqual([])
        expect((await otherDevice.goto(`${shop.url}/checkout/success`))?.status()).toBe(401)
        await page.goto(`${shop.url}/checkout/success`)
        await expect(page.locator("code", { hasText: username })).toBeVisible()
        await other.close()
      },
    )

    test(
      "another visitor's unpaid order is opened only after a confirmation",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const gateway = await goToGateway(await chooseAndPay(new Browser(), { shop }))
        const [, written = ""] = /href="([^"]*resume=[^"]*)"/.exec(gateway.body) ?? []
        const returnPath = written.replaceAll("&amp;", "&")
        expect(returnPath).toContain(shop.url)

        const own = await buyForPage(page, shop)
        await page.goto(returnPath)
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("Open this order here?")
        await page.getByRole("link", { name: "Leave it closed" }).click()
        await page.goto(`${shop.url}/checkout/success`)
        await expect(page.locator("code", { hasText: own })).toBeVisible()

        await page.goto(returnPath)
        await page.getByRole("button", { name: "Open my order" }).click()
        await expect(page).toHaveURL(/\/checkout\/waiting/)
      },
    )
  })
}
