import { expect, type Page } from "playwright/test"
import { enEn } from "~/i18n/screen-texts/en-en"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { signInLink } from "../../fixtures/sign-in-link"
import { runAdmin } from "../../fixtures/signed-in-operator"
import { type Ending, endedDaysAgo } from "../../fixtures/stored-terms"
import { uniqueEmail } from "../../fixtures/unique-email"
import { laterRulesOn } from "../../support/browser/later-style"
import { Browser } from "../../support/browser/no-script-browser"
import {
  BROWSER_AGENT,
  payOn,
  scriptRuns,
  seeAccess,
  typePromoCode,
  unfold,
} from "../../support/browser/page-actions"
import { compressedPage, holdAfterFirstFlight, readFirstFlight } from "../../support/http/first-flight"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

// A service worker would answer for the style sheet from its cache.
test.use({ userAgent: BROWSER_AGENT, serviceWorkers: "block" })

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

/** The page needs only the style that it brings, with everything on it unfolded too. */
async function bringsItsStyle(page: Page, state: string): Promise<void> {
  expect({ state, rules: await laterRulesOn(page) }).toEqual({ state, rules: [] })
}

/** What the page shows in each of its states, so that a state which is ignored is noticed. */
const states = [
  ["", ".setup-steps"],
  ["?renew", ".renew[open]"],
  ["?recreate", 'button[value="recreate"]'],
  ["?quantity=2", ".upsell [open] .quantity"],
  ["?correct-email", 'input[name="email"]'],
  ["?plan", ".plan-choices"],
] as const

test("the service page needs no rule of the style that comes after its first paint", async ({ page }) => {
  await buyForPage(page, shop, { email: uniqueEmail() })
  for (const [state, shown] of states) {
    await page.goto(`${shop.url}/checkout/success${state}`)
    await scriptRuns(page)
    await expect(page.locator(shown).first()).toBeAttached()
    await bringsItsStyle(page, state)
  }
  await page.locator(".plan-choices a").last().click()
  await expect(page.locator(".chosen-plan")).toBeVisible()
  await bringsItsStyle(page, "with the plan to change to")
})

test("neither does it after a form was refused, or an action was done", async ({ page }) => {
  await buyForPage(page, shop, { email: uniqueEmail() })
  await page.locator('#receipt a[href*="receipt="]').first().click()
  await expect(page.locator(".receipt:not(.printed)")).toBeVisible()
  await bringsItsStyle(page, "with a receipt")
  await (await unfold(page, "[name=deviceAddress]")).fill("not a device")
  await page.locator('button[value="device"]').click()
  await expect(page.getByRole("alert").first()).toBeVisible()
  await bringsItsStyle(page, "with a device refused")
  await page.locator('button[value="restart"]').click()
  await expect(page).toHaveURL(/done=restart/)
  await bringsItsStyle(page, "restarted")
  await unfold(page, 'button[value="decline"]')
  await page.locator('button[value="decline"]').click()
  await expect(page.locator('button[value="undecline"]')).toBeAttached()
  await bringsItsStyle(page, "not to be renewed")
})

test("neither does it where account credit pays a part, or with the receipt of an order with a promo code", async ({
  page,
}) => {
  const email = uniqueEmail()
  await page.goto(`${shop.url}/checkout/`)
  await page.locator("[name=email]").fill(email)
  await typePromoCode(page, "WELCOME10")
  await page.locator('button[value="apply-promo"]').first().click()
  await expect(page.locator(".summary .discount")).toBeVisible()
  await payOn(page, shop)
  await page.locator('button[value="paid"]').click()
  await seeAccess(page)
  await page.locator('#receipt a[href*="receipt="]').first().click()
  await expect(page.locator(".receipt:not(.printed) .discount")).toBeVisible()
  await bringsItsStyle(page, "with the receipt")
  await runAdmin(shop, "customers", "grant-credit", email, "--amount", "5.00", "--reason", "a gift")
  await page.context().clearCookies()
  await page.goto(signInLink(shop, email))
  for (const [state, shown] of [
    ["?renew", ".renewal .row.discount"],
    ["?quantity=2", ".upsell .row.discount"],
  ] as const) {
    await page.goto(`${shop.url}/checkout/success${state}`)
    await expect(page.locator(shown).first()).toBeAttached()
    await bringsItsStyle(page, state)
  }
})

test("neither do the pages of a signed-in customer with two services", async ({ page }) => {
  const email = uniqueEmail()
  await buyForPage(page, shop, { email })
  await page.context().clearCookies()
  await buyForPage(page, shop, { email })
  await page.goto(signInLink(shop, email))
  for (const [state, shown] of [
    ["?services", ".services li"],
    ["?renew", 'input[name="also"]'],
    ["?account", ".payments li"],
  ] as const) {
    await page.goto(`${shop.url}/checkout/success${state}`)
    await expect(page.locator(shown).first()).toBeAttached()
    await bringsItsStyle(page, state)
  }
})

/** A text's part before its first value. */
const startOf = (text: string) => text.split("{{")[0] ?? ""

const endings: readonly [string, number, Ending, string][] = [
  ["that is in its days of grace", 1, "kept", startOf(enEn.renewal.grace)],
  ["that is suspended", 6, "Suspended", enEn.place.paused],
  ["that has ended", 25, "Terminated", enEn.place.ended],
]

for (const [which, days, ending, shown] of endings) {
  test(`neither does the page of a service ${which}`, async ({ page }) => {
    const username = await buyForPage(page, shop, { plan: "1", email: uniqueEmail() })
    endedDaysAgo(shop.dataDir, username, { days, ending })
    await page.goto(`${shop.url}/checkout/success?services`)
    await expect(page.locator("main")).toContainText(shown)
    await bringsItsStyle(page, which)
  })
}

/** Languages of the shop, by the prefix of their paths. */
const prefixes = ["", "/en-gb", "/de-de", "/es-es", "/nl-nl", "/pt-pt"]

test("all that a buyer sees of the service page right after the payment fits into the first flight", async () => {
  const buyer = new Browser({ "user-agent": BROWSER_AGENT })
  const paid = await waitForAccess(await payAt(await goToGateway(await chooseAndPay(buyer, { shop }))))
  const cookie = buyer.cookies(paid.url)
  const cut: string[] = []
  for (const prefix of prefixes) {
    const page = await compressedPage(shop.url, `/checkout${prefix}/success`, cookie)
    if (!readFirstFlight(page).includes("</main>")) cut.push(prefix)
  }
  expect(cut).toEqual([])
})

test("the service page is painted while the rest of it is still on its way, and works once that is there", async ({
  page,
}) => {
  await buyForPage(page, shop, { email: uniqueEmail() })
  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  const path = "/checkout/success"
  const held = await holdAfterFirstFlight(shop.url, path, await compressedPage(shop.url, path, cookie))
  await page.goto(`${held.url}${path}`, { waitUntil: "commit" })
  const paints = () => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length)
  await expect.poll(paints).toBe(1)
  await expect(page.locator(".credentials").first()).toBeVisible()
  expect(await page.evaluate(() => document.readyState)).toBe("loading")
  held.release()
  await scriptRuns(page)
  held.close()
})

test("a screen that is reached from the service page without a new document has its style", async ({
  page,
}) => {
  await buyForPage(page, shop, { email: uniqueEmail() })
  await scriptRuns(page)
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.locator(".top a.brand").click()
  await expect(page.locator(".plans").first()).toHaveCSS("display", "grid")
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true)
})
