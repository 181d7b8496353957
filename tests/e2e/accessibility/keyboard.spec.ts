import { expect, type Page } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { uniqueEmail } from "../../fixtures/unique-email"
import { press, tabTo, typeInto } from "../../support/browser/keyboard-navigation"
import { BROWSER_AGENT, scriptRuns } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep, deepUnless } from "../tags"

const PASSWORD = "correct horse battery staple"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })
    test(
      "a buyer chooses, pays and reads the credentials by keyboard alone",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
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
        const email = uniqueEmail()
        await typeInto(page, page.locator("[name=email]"), email)
        await tabTo(page, page.locator('input[name="gateway"]'))
        await page.keyboard.press("ArrowDown")
        await expect(page.locator('input[name="gateway"]').nth(1)).toBeChecked()
        await press(page, page.locator("details:has([name=promoCode]) summary"))
        await typeInto(page, page.locator("[name=promoCode]"), "WELCOME10")
        await applyCode(page, javaScriptEnabled)
        await expect(page.locator('button[value="remove-promo"]')).toBeVisible()
        await expect(page.locator("[name=promoCode]")).toBeHidden()
        if (javaScriptEnabled) await expect(page.locator('button[value="remove-promo"]')).toBeFocused()
        await expect(page.locator("[name=email]")).toHaveValue(email)

        await pay(page, javaScriptEnabled)
        await expect(page.getByText(/^TV[0-9A-Z]{8}$/).first()).toBeVisible({ timeout: 20_000 })
        await press(page, page.locator("main summary").first())
        await expect(page.locator("main details[open]").first()).toBeVisible()
      },
    )

    test(
      "a visitor signs up as a reseller, creates a line and orders connections by keyboard alone",
      deep,
      async ({ page }) => {
        await page.goto(`${shop.url}/checkout/resellers`)
        await typeInto(page, page.locator("[name=email]"), uniqueEmail("reseller"))
        await typeInto(page, page.locator("[name=newPassword]"), PASSWORD)
        await typeInto(page, page.locator("[name=confirmPassword]"), PASSWORD)
        await pay(page, javaScriptEnabled)
        await expect(page.locator("#line")).toBeVisible({ timeout: 20_000 })
        await typeInto(page, page.locator("[name=notes]"), "Leo")
        await page.keyboard.press("Enter")
        await expect(page.locator(".line-row a")).toBeVisible()
        await page.reload()
        await press(page, page.locator('a[href*="/upsell"]'))
        await expect(page.locator("[name=quantity]")).toBeVisible()
        await typeInto(page, page.locator("[name=quantity]"), "4")
        await expect(page.locator("[name=quantity]")).toHaveValue("4")
        await press(page, page.locator('main button[value="upsell"]'))
        await page.waitForURL((url) => url.origin === shop.sandboxUrl)
      },
    )

    test("a reseller signs in and out by keyboard alone", deep, async ({ page }) => {
      const email = uniqueEmail("reseller")
      await page.goto(`${shop.url}/checkout/resellers`)
      await typeInto(page, page.locator("[name=email]"), email)
      await typeInto(page, page.locator("[name=newPassword]"), PASSWORD)
      await typeInto(page, page.locator("[name=confirmPassword]"), PASSWORD)
      await pay(page, javaScriptEnabled)
      await expect(page.locator("#line")).toBeVisible({ timeout: 20_000 })
      await press(page, page.getByRole("button", { name: enEn.frame.signOut }))
      await expect(page.getByRole("link", { name: enEn.frame.signIn, exact: true })).toBeVisible()

      await press(page, page.getByRole("link", { name: enEn.frame.signIn, exact: true }))
      await unfoldPassword(page)
      await typeInto(page, page.locator("#sign-in-email"), email)
      await typeInto(page, page.locator("#sign-in-password"), PASSWORD)
      await page.keyboard.press("Enter")
      await expect(page).toHaveURL(`${shop.url}/checkout/resellers/success`)
      await expect(page.getByRole("button", { name: enEn.frame.signOut })).toBeVisible()
    })

    test(
      "a failed sign-in by keyboard sets the error as description of the email field",
      deep,
      async ({ page }) => {
        await page.goto(`${shop.url}/checkout/`)
        await press(page, page.locator('a[href$="?signin"]'))
        await unfoldPassword(page)
        await typeInto(page, page.locator("#sign-in-email"), uniqueEmail())
        await typeInto(page, page.locator("#sign-in-password"), "wrong horse")
        await page.keyboard.press("Enter")
        const body = page.getByRole("alert").first()
        await expect(body).toBeVisible()
        await expect(page.locator("#sign-in-email")).toHaveAccessibleDescription(
          (await body.innerText()).trim(),
        )
        await tabTo(page, page.locator("#sign-in-email"))
      },
    )

    test("a visitor changes the language by keyboard", deep, async ({ page }) => {
      await page.goto(`${shop.url}/checkout/`)
      await press(page, page.locator(".languages summary"))
      await press(page, page.locator('.languages [lang="de-DE"]'))
      await expect(page.locator("html")).toHaveAttribute("lang", "de-DE")
    })

    test(
      "a rejected promo code is read out at its field, which is one press away",
      deep,
      async ({ page }) => {
        await page.goto(`${shop.url}/checkout/`)
        await press(page, page.locator("details:has([name=promoCode]) summary"))
        await typeInto(page, page.locator("[name=promoCode]"), "NO-SUCH-CODE")
        await applyCode(page, javaScriptEnabled)
        const field = page.locator("[name=promoCode]")
        await expect(field).toHaveAccessibleDescription(enEn.promotion.unknown)
        if (javaScriptEnabled) await expect(field).toBeFocused()
        else await tabTo(page, field)
      },
    )
  })
}

/** Applies the promo code: with JavaScript by Enter in its field, without by the button next to it. */
async function applyCode(page: Page, javaScriptEnabled: boolean): Promise<void> {
  if (!javaScriptEnabled) return press(page, page.locator('button[value="apply-promo"]'))
  // Without script, Enter in any field presses the form's first button, which pays.
  await scriptRuns(page)
  await page.keyboard.press("Enter")
}

/** Submits the form and pays at the gateway from the current focus, by Tab and Enter. */
async function pay(page: Page, javaScriptEnabled: boolean): Promise<void> {
  await press(page, page.locator('button.main[value="pay"]:visible').first())
  // With JavaScript the review step submits its form automatically.
  if (!javaScriptEnabled) {
    const review = page.locator('form:has(input[name="draft"]) button')
    await expect(review).toBeVisible()
    await press(page, review)
  }
  await page.waitForURL((url) => url.origin === shop.sandboxUrl)
  await press(page, page.locator('button[value="paid"]'))
}

/** Opens the form with the password by keyboard; a shop that sends mail has it folded. */
async function unfoldPassword(page: Page): Promise<void> {
  const button = page.locator('button[value="sign-in"]')
  await button.waitFor({ state: "attached" })
  const fold = page.locator("summary", { hasText: enEn.signIn.page.usePassword })
  if ((await fold.count()) > 0) await press(page, fold)
  await expect(button).toBeVisible()
}
