import { expect } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { nlNl } from "~/i18n/translations/nl-nl"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { signInLink } from "../../fixtures/sign-in-link"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT, scriptRuns, signInByPassword, unfold } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep, deepUnless } from "../tags"

const PASSWORD = "correct horse battery staple"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

/** The operator's sign-in link for a customer. */
async function linkFor(email: string, ...more: string[]): Promise<string> {
  const env = { DATA_DIR: shop.dataDir, PUBLIC_URL: shop.url }
  const { output, errorOutput, exitCode } = await runServerCommand(
    ["admin", "customers", "sign-in-link", email, ...more],
    env,
  )
  expect(errorOutput).toBe("")
  expect(exitCode).toBe(0)
  return /https?:\S+/.exec(output)?.[0] ?? ""
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })
    test(
      "a customer signs in by link, sets a password, signs out and signs in from another browser",
      deepUnless(javaScriptEnabled),
      async ({ page, browser }) => {
        const email = uniqueEmail()
        const first = await buyForPage(page, shop, { email })
        const second = await buyForPage(page, shop, { email })
        await page.context().clearCookies()

        await page.goto(await linkFor(email))
        await expect(page).toHaveURL(/\/checkout\/success$/)
        await expect(page.locator("main")).toContainText(first)
        await expect(page.locator("main")).toContainText(second)
        await page
          .locator("summary")
          .filter({ has: page.locator(":scope") })
          .last()
          .scrollIntoViewIfNeeded()
        const form = page.locator('form:has(button[value="password"])')
        if (!(await form.isVisible()))
          await page.locator('details:has(button[value="password"]) summary').click()
        await form.locator('input[name="password"]').fill(PASSWORD)
        await form.locator('button[value="password"]').click()
        await expect(page).toHaveURL(/done=password/)

        await page.locator('form[action*="signout"] button').click()
        await expect(page).toHaveURL(`${shop.url}/checkout/`)
        await expect(page.locator("[name=email]")).toHaveValue("")
        await page.goto(`${shop.url}/checkout/success`)
        await expect(page.locator("main")).not.toContainText(first)

        const other = await browser.newContext({ javaScriptEnabled, userAgent: BROWSER_AGENT })
        const otherDevice = await other.newPage()
        await otherDevice.goto(`${shop.url}/checkout/`)
        await otherDevice.locator('a[href*="signin"]').first().click()
        await signInByPassword(otherDevice, { email: email.toUpperCase(), password: PASSWORD })
        await expect(otherDevice).toHaveURL(/\/checkout\/success$/)
        await expect(otherDevice.locator("main")).toContainText(second)
        await otherDevice.locator('a[href*="serviceid="]', { hasText: first }).click()
        await expect(otherDevice.locator("code", { hasText: first })).toBeVisible()
        await other.close()
      },
    )

    test(
      "a wrong password gets 401, keeps the email and clears the password",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        await page.goto(`${shop.url}/checkout/de-de?signin`)
        const response = page.waitForResponse((it) => it.request().method() === "POST")
        await signInByPassword(page, { email, password: "wrong horse" })
        expect((await response).status()).toBe(401)
        await expect(page.getByRole("alert").first()).toBeVisible()
        const form = page.locator('form:has(button[value="sign-in"])')
        await expect(form.locator("[name=email]")).toHaveValue(email)
        await expect(form.locator("[name=password]")).toHaveValue("")
      },
    )

    test(
      "the service page of a visitor without a service gets 401 with the sign-in form",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const response = await page.goto(`${shop.url}/checkout/nl-nl/success`)
        expect(response?.status()).toBe(401)
        await expect(page.locator("h1")).toHaveText(nlNl.signIn.heading)
        await expect(page.locator('button[value^="sign-in"]').first()).toBeVisible()
      },
    )
  })
}

test("too many sign-in attempts get 429 with Retry-After, for known and unknown emails", deep, async () => {
  for (const email of [await newCustomer(), uniqueEmail()]) {
    const browser = new Browser()
    let page = await browser.visit(`${shop.url}/checkout/?signin`)
    // Clients at a loopback address are counted by a cookie, which the response to the first attempt sets.
    for (let attempts = 0; attempts < 8; attempts++) {
      page = await page.submit({ button: { value: "sign-in" }, fields: { email, password: "wrong horse" } })
    }
    expect(page.status).toBe(429)
    expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(page.text).not.toContain(enEn.error.unexpected)
  }
})

test("a sign-in link with a tampered expiry does not sign in and only prefills the email", async () => {
  const email = await newCustomer()
  const link = new URL(await linkFor(email, "--expires-in", "30m"))
  link.searchParams.set("expires", "1700000000")
  const page = await new Browser({ "user-agent": BROWSER_AGENT }).visit(link)
  // The signature covers the expiry, so the shop treats the changed link as an entry link.
  expect(page.status).toBe(200)
  expect(page.url.search).toBe("")
  expect(page.field("email")).toBe(email)
})

test("an expired sign-in link gets 401 with an explanation, and no URL of the page contains the email", async () => {
  const email = uniqueEmail("expired")
  const link = signInLink(shop, email, Date.now() - 60_000)
  const page = await new Browser({ "user-agent": BROWSER_AGENT }).visit(link)
  expect(page.status).toBe(401)
  expect(page.text).toContain(enEn.signIn.lead["old-link"])
  expect(page.field("email")).toBe(email)
  expect(page.body).not.toMatch(/(href|action)="[^"]*(expired-|signature)/)
})

test("login details in a second tab go as soon as it is seen after a sign-out in the first, and not before", async ({
  browser,
}) => {
  const context = await browser.newContext({ userAgent: BROWSER_AGENT })
  const page = await context.newPage()
  const email = uniqueEmail()
  const username = await buyForPage(page, shop, { email })
  await context.clearCookies()
  await page.goto(signInLink(shop, email))
  const second = await context.newPage()
  await second.goto(`${shop.url}/checkout/success`)
  await scriptRuns(second)
  const comeBack = async () => {
    const answered = second.waitForResponse(/order-status/)
    await second.evaluate(() => dispatchEvent(new Event("visibilitychange")))
    return (await answered).status()
  }
  const notes = await unfold(second, "[name=notes]")
  await notes.fill("Living room")
  expect(await comeBack()).toBe(200)
  await expect(notes).toHaveValue("Living room")
  await expect(second.locator("main")).toContainText(username)
  await page.goto(`${shop.url}/checkout/success`)
  await page.locator('form[action*="signout"] button').click()
  await expect(page).toHaveURL(`${shop.url}/checkout/`)
  expect(await comeBack()).toBe(404)
  await expect(second.getByRole("heading", { name: enEn.frame.signIn })).toBeVisible()
  await expect(second.locator("main")).not.toContainText(username)
})

// A mistyped address has one part or several; both are read as pages of the shop.
for (const path of ["/nothing", "/success/nothing", "/nl-nl/nothing"]) {
  test(`a customer on the page that ${path} does not exist is signed out by its button`, async () => {
    const browser = new Browser({ "user-agent": BROWSER_AGENT })
    const email = await newCustomer()
    await browser.visit(signInLink(shop, email))
    const lost = await browser.visit(`${shop.url}/checkout${path}`)
    expect([lost.status, lost.text]).toEqual([404, expect.stringContaining(email)])
    const home = await lost.submit({
      button: { text: path.startsWith("/nl") ? nlNl.frame.signOut : enEn.frame.signOut },
    })
    expect(home.status).toBe(200)
    expect(home.text).not.toContain(email)
    expect((await browser.visit(`${shop.url}/checkout/success`)).status).toBe(401)
  })

  test(`whoever signs in from the page that ${path} does not exist reads what they have`, async () => {
    const lost = await new Browser({ "user-agent": BROWSER_AGENT }).visit(`${shop.url}/checkout${path}`)
    const signIn = await lost.follow(/[?]signin$/)
    expect(signIn.status).toBe(200)
    expect(signIn.url.pathname).toBe(path.startsWith("/nl") ? "/checkout/nl-nl" : "/checkout/")
  })
}

test("the log contains no email, password or signature", () => {
  expect(shop.output()).not.toMatch(/example\.test|horse|signature=/i)
})

/** Creates an order of a new customer and returns the email address. */
async function newCustomer(): Promise<string> {
  const email = uniqueEmail()
  await goToGateway(await chooseAndPay(new Browser(), { shop, email }))
  return email
}
