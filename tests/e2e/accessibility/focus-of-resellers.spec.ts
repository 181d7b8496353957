import { expect, type Page } from "playwright/test"
import { enEn as enEnScreens } from "~/i18n/screen-texts/en-en"
import { enEn } from "~/i18n/translations/en-en"
import { uniqueEmail } from "../../fixtures/unique-email"
import { press, typeInto } from "../../support/browser/keyboard-navigation"
import { BROWSER_AGENT, payOn, scriptRuns } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { deep } from "../tags"

const { lines } = enEnScreens

test.use({ userAgent: BROWSER_AGENT })

test(
  "a reseller creates, extends, tells of and cancels lines by keyboard without losing the place",
  deep,
  async ({ page, sharedShop }) => {
    const shop = await sharedShop()
    await page.goto(`${shop.url}/checkout/resellers`)
    await page.locator("[name=email]").fill(uniqueEmail("reseller"))
    await page.locator("[name=newPassword]").fill("correct horse battery staple")
    await page.locator("[name=confirmPassword]").fill("correct horse battery staple")
    await payOn(page, shop)
    await page.locator('button[value="paid"]').click()
    await expect(page.locator("#line")).toBeVisible({ timeout: 20_000 })
    await scriptRuns(page)

    const create = page.locator(".line-form button")
    for (const name of ["Ana", "Bea"]) {
      await typeInto(page, page.locator("[name=notes]"), name)
      await press(page, create)
      await expect(page.locator(".line-row", { hasText: name })).toBeVisible()
      await expect(page.locator("[name=notes]")).toHaveValue("")
      await expect(create).toBeFocused()
      await expect(page.locator("main .notice")).toHaveText(enEn.resellers.line.made)
      await expect(page.locator("main .notice")).toBeInViewport()
      // Behind the button, as from anywhere on the page, Tab comes around to the field again.
      await page.locator(".top a").first().focus()
    }

    await expect(async () => {
      await page.reload()
      await expect(rowOf(page, "Bea").locator("summary")).toBeVisible({ timeout: 500 })
    }).toPass()
    await scriptRuns(page)
    await press(page, rowOf(page, "Ana").locator("button[name=extend]"))
    await expect(page.locator(".line-list .notice")).toHaveText(
      lines.extended_one.replace("{{names}}", "Ana"),
    )
    await expect(rowOf(page, "Ana").locator("button[name=extend]")).toBeFocused()

    await press(page, rowOf(page, "Ana").locator(".line-acts a"))
    await expect(page.locator("#message h2")).toBeFocused()
    await expect(page.locator("#message h2")).toBeInViewport()
    const inGerman = page.locator('#message a[lang^="de"]')
    await press(page, inGerman)
    await expect(page.locator("#message textarea")).toHaveValue(/Hallo Ana/)
    await expect(inGerman).toBeFocused()

    await press(page, rowOf(page, "Bea").locator("summary"))
    await press(page, rowOf(page, "Bea").locator("button[name=cancel]"))
    await expect(page.locator(".line-list .notice")).toHaveText(lines.cancelled)
    // The button has gone with its question.
    await expect(page.locator("#line")).toBeFocused()
  },
)

function rowOf(page: Page, name: string) {
  return page.locator(".made-lines li", { hasText: name })
}
