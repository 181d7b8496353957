import { expect } from "playwright/test"
import { afterTheDeadline } from "../../fixtures/database-edits"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { orderForPage } from "../../fixtures/purchase-for-page"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT, orderNumberOn, payAndSeeAccess, seeAccess } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })
    const who = javaScriptEnabled ? "script" : "plain"

    test(
      "a buyer pays at another gateway than the one chosen first",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const first = await orderForPage(page, shop, { prefix: "/de-de" })
        await page.goto(`${shop.url}/checkout/de-de/waiting`)
        const number = await orderNumberOn(page)
        await page.locator('a[href*="gateway"]').click()
        await page.locator('input[name="gateway"][value="coinbase"]').check({ force: true })
        await page.locator('main button[value="gateway"]').click()
        await page.waitForURL((url) => url.origin === shop.sandboxUrl && url.pathname.startsWith("/coinbase"))
        expect(page.url()).not.toBe(first)
        await page.goto(`${shop.url}/checkout/de-de/waiting`)
        await page.locator('a[href*="/coinbase"]').first().click()
        await payAndSeeAccess(page)
        expect(readStoredRows(shop.dataDir).orders.filter(({ id }) => id === number)).toHaveLength(1)
      },
    )

    test(
      "a payment at the first gateway still counts after a change of gateway",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const first = await orderForPage(page, shop)
        await page.goto(`${shop.url}/checkout/waiting?gateway`)
        await page.locator('input[name="gateway"][value="coinbase"]').check({ force: true })
        await page.locator('main button[value="gateway"]').click()
        await page.waitForURL(/\/coinbase/)
        await page.goto(first)
        await payAndSeeAccess(page)
      },
    )

    test(
      "cancelling an order asks for confirmation once and removes the order from the session",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        await orderForPage(page, shop)
        await page.goto(`${shop.url}/checkout/waiting`)
        const number = await orderNumberOn(page)
        await page.locator('a[href*="abort"]').click()
        await expect(page.locator('button[value="abort"]')).toBeVisible()
        expect(statusOf(number)).toBe("awaiting-payment")
        await page.locator('button[value="abort"]').click()
        await expect(page).toHaveURL(`${shop.url}/checkout/?cancelled=unpaid`)
        expect(statusOf(number)).toBe("cancelled")
        await page.goto(`${shop.url}/checkout/waiting`)
        await expect(page).toHaveURL(`${shop.url}/checkout/`)
      },
    )

    test(
      "changing an order asks for confirmation and opens the prefilled checkout",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const email = uniqueEmail()
        await orderForPage(page, shop, { email, plan: "1" })
        await page.goto(`${shop.url}/checkout/waiting`)
        await page.locator('a[href*="edit"]').click()
        await page.locator('button[value="edit"]').click()
        await expect(page).toHaveURL(`${shop.url}/checkout/`)
        await expect(page.locator('input[name="plan"][value="1"]')).toBeChecked()
        await expect(page.locator("[name=email]")).toHaveValue(email)
      },
    )

    test(
      "an expired order can be started again with the same choices",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        const own = await startShop()
        try {
          await orderForPage(page, own, { email: `expired-${who}@example.test`, plan: "2", prefix: "/es-es" })
          await page.goto(`${own.url}/checkout/es-es/waiting`)
          const number = await orderNumberOn(page)
          // Without script the waiting page loads itself again, which would interrupt the visit below.
          await page.goto("about:blank")
          await afterTheDeadline(own, number)
          await expect
            .poll(async () => readStoredRows(own.dataDir).orders.find(({ id }) => id === number)?.status)
            .toBe("expired")
          await page.goto(`${own.url}/checkout/es-es/waiting`)
          await page.locator('button[value="again"]').click()
          await expect(page).toHaveURL(/\/checkout\/es-es$/)
          await expect(page.locator('input[name="plan"][value="2"]')).toBeChecked()
          await expect(page.locator("[name=email]")).toHaveValue(`expired-${who}@example.test`)
        } finally {
          await own.stop()
        }
      },
    )

    test("the gateway's return link opens the order in a second browser, and returns 401 in a third", async ({
      page,
      browser,
    }) => {
      const payment = await orderForPage(page, shop)
      const [phone, another] = await Promise.all([
        browser.newContext({ javaScriptEnabled, userAgent: BROWSER_AGENT }),
        browser.newContext({ javaScriptEnabled, userAgent: BROWSER_AGENT }),
      ])
      const onPhone = await phone.newPage()
      let returnPath = ""
      onPhone.on("request", (request) => {
        if (request.url().includes("resume=")) returnPath = request.url()
      })
      await onPhone.goto(payment)
      await onPhone.locator('button[value="paid"]').click()
      const heading = onPhone.getByRole("heading", { level: 1 })
      await expect(onPhone.getByRole("button", { name: "Open my order" })).toBeVisible()
      await expect(async () => {
        await onPhone.reload()
        await expect(heading).toHaveText("Paid, thank you", { timeout: 250 })
      }).toPass()
      await onPhone.getByRole("button", { name: "Open my order" }).click()
      const username = await seeAccess(onPhone)
      expect(returnPath).toContain("resume=")

      const late = await another.newPage()
      const response = await late.goto(returnPath)
      expect(response?.status()).toBe(401)
      await expect(late.getByRole("heading", { level: 1 })).toHaveText("Paid, thank you")
      await expect(late.locator("body")).not.toContainText(username)

      await page.goto(`${shop.url}/checkout/waiting`)
      await expect(page.locator("code", { hasText: username })).toBeVisible()
      await phone.close()
      await another.close()
    })
  })
}

test("an order cancelled in one tab accepts a payment from another tab", async () => {
  const browser = new Browser({ "user-agent": BROWSER_AGENT })
  const gateway = await goToGateway(await chooseAndPay(browser, { shop }))
  const waiting = await browser.visit(`${shop.url}/checkout/waiting?abort`)
  await waiting.submit({ button: { value: "abort" } })
  const paid = await gateway.submit({ button: { name: "outcome", value: "paid" } })
  // A late payment is never rejected: it reactivates the order, and the session gets the order back.
  expect(["/checkout/waiting", "/checkout/success"]).toContain(paid.url.pathname)
})

function statusOf(number: string): string | undefined {
  return readStoredRows(shop.dataDir).orders.find(({ id }) => id === number)?.status
}
