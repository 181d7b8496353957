import { expect, type Page, test } from "playwright/test"
import { press, tabTo, typeInto } from "../../support/browser/keyboard-navigation"
import { person } from "../../support/browser/page-actions"
import { startShop, type TestServer } from "../start-shop"

const PASSWORD = "correct horse battery staple"

let shop: TestServer
test.beforeAll(async () => {
  shop = await startShop()
})
test.afterAll(() => shop.stop())

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: person })
    const who = javaScriptEnabled ? "script" : "plain"

    test("a buyer chooses, pays and reads his access by keyboard alone", async ({ page }) => {
      await page.goto(`${shop.url}/checkout/`)
      await page.keyboard.press("Tab")
      await expect(page.locator(".skip")).toBeFocused()
      await page.keyboard.press("Enter")
      await tabTo(page, page.locator('input[name="plan"]'))
      await expect(page.locator('input[name="plan"]:checked')).toBeFocused()
      await page.keyboard.press("ArrowUp")
      await expect(page.locator('input[name="plan"][value="2"]')).toBeChecked()
      await tabTo(page, page.locator('input[name="extraConnection"]'))
      await page.keyboard.press("Space")
      await typeInto(page, page.locator("#email"), `${who}@example.test`)
      await tabTo(page, page.locator('input[name="gateway"]'))
      await page.keyboard.press("ArrowDown")
      await expect(page.locator('input[name="gateway"]').nth(1)).toBeChecked()
      await typeInto(page, page.locator("#promoCode"), "WELCOME10")
      await applyCode(page, javaScriptEnabled)
      await expect(page.locator('button[value="remove-promo"]')).toBeVisible()
      if (javaScriptEnabled) await expect(page.locator("#promoCode")).toBeFocused()
      await expect(page.locator("#email")).toHaveValue(`${who}@example.test`)

      await pay(page)
      await expect(page.getByText(/^TV[0-9A-Z]{8}$/).first()).toBeVisible({ timeout: 20_000 })
      await press(page, page.locator("main summary").first())
      await expect(page.locator("main details[open]")).toBeVisible()
    })

    test("a newcomer becomes a reseller, makes a line and wants connections by keyboard alone", async ({
      page,
    }) => {
      await page.goto(`${shop.url}/checkout/resellers`)
      await typeInto(page, page.locator("#email"), `reseller-${who}@example.test`)
      await typeInto(page, page.locator("#newPassword"), PASSWORD)
      await typeInto(page, page.locator("#confirmPassword"), PASSWORD)
      await pay(page)
      await expect(page.locator("#line")).toBeVisible({ timeout: 20_000 })
      await typeInto(page, page.locator("#notes"), "Leo")
      await page.keyboard.press("Enter")
      await expect(page.locator(".made-lines a")).toBeVisible()
      await page.reload()
      await press(page, page.locator('a[href*="/upsell"]'))
      await expect(page.locator("#quantity")).toBeVisible()
      await typeInto(page, page.locator("#quantity"), "4")
      await expect(page.locator("#quantity")).toHaveValue("4")
      await press(page, page.locator('button[value="upsell"]'))
      await page.waitForURL((url) => url.origin === shop.sandboxUrl)
    })

    test("a customer signs in by keyboard, and a mistake is where he reads", async ({ page }) => {
      await page.goto(`${shop.url}/checkout/`)
      await press(page, page.locator('a[href$="?signin"]'))
      await expect(page.locator('button[value="sign-in"]')).toBeVisible()
      await typeInto(page, page.locator("#email"), "nobody@example.test")
      await typeInto(page, page.locator("#password"), "wrong horse")
      await page.keyboard.press("Enter")
      const body = page.getByRole("alert").first()
      await expect(body).toBeVisible()
      await expect(page.locator("#email")).toHaveAccessibleDescription((await body.innerText()).trim())
      await tabTo(page, page.locator("#email"))
    })

    test("somebody reads in another language by keyboard", async ({ page }) => {
      await page.goto(`${shop.url}/checkout/`)
      await press(page, page.locator(".languages summary"))
      await press(page, page.locator('.languages a[hreflang="de-DE"]'))
      await expect(page.locator("html")).toHaveAttribute("lang", "de-DE")
    })

    test("a refused code leads to what is said of it, and from there to its field", async ({ page }) => {
      await page.goto(`${shop.url}/checkout/`)
      await typeInto(page, page.locator("#promoCode"), "NO-SUCH-CODE")
      await applyCode(page, javaScriptEnabled)
      const link = page.locator('.problems a[href="#promoCode"]')
      await expect(link).toBeVisible()
      if (javaScriptEnabled) await expect(page.locator(".problems")).toBeFocused()
      await press(page, link)
      await expect(page.locator("#promoCode")).toBeFocused()
    })
  })
}

/** With script Enter in the code's field means the code; without, the button beside it does. */
async function applyCode(page: Page, javaScriptEnabled: boolean): Promise<void> {
  if (javaScriptEnabled) await page.keyboard.press("Enter")
  else await press(page, page.locator('button[value="apply-promo"]'))
}

/** From wherever one is on the form to the gateway and back, by the Tab key and Enter. */
async function pay(page: Page): Promise<void> {
  await press(page, page.locator('button.main[value="pay"]:visible').first())
  const review = page.locator('form:has(input[name="draft"]) button')
  const gateway = () => page.url().startsWith(shop.sandboxUrl)
  await expect.poll(async () => gateway() || (await review.isVisible())).toBe(true)
  if (!gateway() && !(await atGatewaySoon(page))) await press(page, review)
  await page.waitForURL((url) => url.origin === shop.sandboxUrl)
  await press(page, page.locator('button[value="paid"]'))
}

/** With script the review step goes on by itself. */
async function atGatewaySoon(page: Page): Promise<boolean> {
  const soon = page.waitForURL((url) => url.origin === shop.sandboxUrl, { timeout: 3_000 })
  return soon.then(
    () => true,
    () => false,
  )
}
