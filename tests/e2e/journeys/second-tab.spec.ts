import { type BrowserContext, expect, type Locator, type Page } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { readStoredRows } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, payOn } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  for (const { prefix, translation, locale } of [
    { prefix: "", translation: enEn, locale: "en-US" },
    { prefix: "/de-de", translation: deDe, locale: "de-DE" },
  ]) {
    test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript in ${locale}`, () => {
      test.use({ javaScriptEnabled, locale, userAgent: BROWSER_AGENT })
      const { another } = translation.waiting
      const details = deepUnless(!javaScriptEnabled && prefix !== "")

      test(
        "a second tab with another plan says that an order is open, and lets the buyer choose",
        details,
        async ({ page }) => {
          const email = uniqueEmail()
          const second = await page.context().newPage()
          await chooseIn(second, `${shop.url}/checkout${prefix || "/"}`, { email, plan: "1" })
          await chooseIn(page, `${shop.url}/checkout${prefix || "/"}`, { email, plan: "3" })
          await payOn(page, shop)
          await second.locator('button.main[value="pay"]:visible').first().click()
          await expect(second.locator("h1", { hasText: another.heading })).toBeVisible()
          expect(readStoredRows(shop.dataDir, email).orders).toHaveLength(1)

          const [keep = ""] = another.keep.split("{{order}}")
          await second.getByRole("link", { name: keep }).click()
          await expect(second).toHaveURL(/\/waiting\??$/)
          expect(readStoredRows(shop.dataDir, email).orders.map(({ status }) => status)).toEqual([
            "awaiting-payment",
          ])

          await second.goto(`${shop.url}/checkout${prefix}/waiting?another`)
          await second.locator('button[value="another"]').click()
          await expect(second.locator('input[name="plan"][value="1"]')).toBeChecked()
          await expect(second.locator("[name=email]")).toHaveValue(email)
          await payOn(second, shop)
          const { orders } = readStoredRows(shop.dataDir, email)
          expect(orders.map(({ status }) => status).toSorted()).toEqual(["awaiting-payment", "cancelled"])
        },
      )

      test(
        "a buyer who corrects the email on a page from before the order is asked which of the two they want",
        details,
        async ({ page }) => {
          const [mistyped, email] = [uniqueEmail(), uniqueEmail()]
          const address = `${shop.url}/checkout${prefix || "/"}`
          const before = await page.context().newPage()
          await chooseIn(before, address, { email, plan: "1" })
          await chooseIn(page, address, { email: mistyped, plan: "1" })
          await payOn(page, shop)
          await before.locator('button.main[value="pay"]:visible').first().click()
          await expect(before.locator("h1", { hasText: another.heading })).toBeVisible()
          await before.locator('button[value="another"]').click()
          await expect(before.locator("[name=email]")).toHaveValue(email)
          await payOn(before, shop)
          expect(readStoredRows(shop.dataDir, email).orders.map(({ status }) => status)).toEqual([
            "awaiting-payment",
          ])
        },
      )

      test(
        "a review never orders what a second tab has chosen meanwhile, also at the same total",
        details,
        async ({ page, context }) => {
          const email = uniqueEmail()
          const address = `${shop.url}/checkout${prefix || "/"}`
          const held = await holdReviews(context)
          await reviewIn(page, address, { email, gateway: "offshore" })
          const second = await context.newPage()
          await reviewIn(second, address, { email, gateway: "coinbase" })
          await held.release(javaScriptEnabled ? 2 : 0)
          const proceed = page.locator('form:has(input[name="draft"]) button')
          const message = page.getByText(translation.review["other-draft"])
          // Script ignores a press within three seconds of the first. A press that was taken is not repeated: after the
          // message it would accept the other choice.
          await expect(async () => expect(await isTaken(proceed)).toBe(true)).toPass({ timeout: 15_000 })
          await expect(message).toBeVisible()
          expect(readStoredRows(shop.dataDir, email).orders).toEqual([])

          await proceed.click()
          await expect(page).toHaveURL((url) => url.origin === shop.sandboxUrl)
          expect(page.url()).toContain("/coinbase/")
          expect(readStoredRows(shop.dataDir, email).orders).toHaveLength(1)
        },
      )

      test(
        "a review whose choice became no order says that another tab has ordered",
        details,
        async ({ page, context }) => {
          const email = uniqueEmail()
          const address = `${shop.url}/checkout${prefix || "/"}`
          const held = await holdReviews(context)
          await reviewIn(page, address, { email, gateway: "offshore" })
          await held.release(javaScriptEnabled ? 1 : 0)
          const second = await context.newPage()
          await chooseIn(second, address, { email, plan: "1" })
          await second.locator('button.main[value="pay"]:visible').first().click()
          if (!javaScriptEnabled) await second.locator('form:has(input[name="draft"]) button').click()
          await expect(second).toHaveURL((url) => url.origin === shop.sandboxUrl)

          const proceed = page.locator('form:has(input[name="draft"]) button')
          await expect(async () => expect(await isTaken(proceed)).toBe(true)).toPass({ timeout: 15_000 })
          await expect(page.getByRole("heading", { name: another.heading })).toBeVisible()
          const { orders } = readStoredRows(shop.dataDir, email)
          expect(orders.map(({ status }) => status)).toEqual(["awaiting-payment"])
        },
      )
    })
  }
}

test.describe("with JavaScript", () => {
  test.use({ userAgent: BROWSER_AGENT })

  test("a waiting page is left by itself once another tab has cancelled its order", async ({
    page,
    context,
  }) => {
    await chooseIn(page, `${shop.url}/checkout/`, { email: uniqueEmail(), plan: "1" })
    await payOn(page, shop)
    await page.goto(`${shop.url}/checkout/waiting`)
    const second = await context.newPage()
    await second.goto(`${shop.url}/checkout/waiting?abort`)
    await second.locator('button[value="abort"]').click()
    await expect(second.getByText(enEn.checkout.heading)).toBeVisible()
    await page.bringToFront()
    await expect(page).toHaveURL(`${shop.url}/checkout/`)
    await expect(page.locator('input[name="plan"][value="1"]')).toBeChecked()
  })
})

/** Presses a form's button once. Whether the press was taken, or prevented by script. */
function isTaken(button: Locator): Promise<boolean> {
  const press = button.evaluate(
    (element) =>
      new Promise<boolean>((resolve) => {
        const { form } = element as HTMLButtonElement
        form?.addEventListener("submit", (event) => setTimeout(() => resolve(!event.defaultPrevented)), {
          once: true,
        })
        ;(element as HTMLButtonElement).click()
      }),
  )
  // The next page replaces the one that would answer.
  return press.catch(() => true)
}

/**
 * With script the review submits itself: without an answer its tab stays on it. `release`: after so many submissions, which
 * come with hydration.
 */
async function holdReviews(context: BrowserContext) {
  let held = 0
  await context.route("**/creatingOrder", (route) => {
    if (route.request().method() !== "POST") return route.continue()
    held += 1
    return route.fulfill({ status: 204 })
  })
  return {
    async release(after: number) {
      await expect.poll(() => held).toBe(after)
      await context.unroute("**/creatingOrder")
    },
  }
}

type Chosen = { email: string; gateway: string }

/** Chooses a plan and goes to the review. */
async function reviewIn(page: Page, url: string, { email, gateway }: Chosen) {
  await chooseIn(page, url, { email, plan: "3" })
  await page.locator(`input[name="gateway"][value="${gateway}"]`).check({ force: true })
  await page.locator('button.main[value="pay"]:visible').first().click()
  // Hidden while the form that script has sent is under way.
  await expect(page.locator('form:has(input[name="draft"]) button')).toBeAttached()
}

async function chooseIn(page: Page, url: string, { email, plan }: { email: string; plan: string }) {
  await page.goto(url)
  await page.locator(`input[name="plan"][value="${plan}"]`).check({ force: true })
  await page.locator("[name=email]").fill(email)
}
