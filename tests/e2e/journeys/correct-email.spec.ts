import { expect, type Locator } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { esEs } from "~/i18n/translations/es-es"
import { buyForPage, orderForPage } from "../../fixtures/purchase-for-page"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, scriptRuns, unfold } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { isEmbedded, type TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const languages = [
  { prefix: "", translation: enEn, iso: "en" },
  { prefix: "/de-de", translation: deDe, iso: "de-DE" },
  { prefix: "/es-es", translation: esEs, iso: "es-ES" },
]

for (const javaScriptEnabled of [true, false]) {
  for (const { prefix, translation, iso } of languages) {
    const texts = translation.orderEmail
    test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript in ${iso}`, () => {
      test.use({ javaScriptEnabled, locale: iso, userAgent: BROWSER_AGENT })

      const details = deepUnless(javaScriptEnabled ? prefix === "" : prefix === "/de-de")

      test(
        "a buyer corrects a mistyped e-mail on the waiting page, and is told about a wrong one",
        details,
        async ({ page }) => {
          const [mistyped, right] = [uniqueEmail(), uniqueEmail()]
          await orderForPage(page, shop, { prefix, email: mistyped })
          await page.goto(`${shop.url}/checkout${prefix}/waiting`)
          const main = page.locator("main")
          await expect(main).toContainText(texts.sentTo.replace("{{email}}", mistyped))
          if (!isEmbedded()) return expect(main).not.toContainText(texts.change)

          if (javaScriptEnabled) await scriptRuns(page)
          await page.getByRole("link", { name: texts.change }).click()
          const field = page.getByLabel(texts.label)
          await expect(field).toHaveValue(mistyped)
          // The browser's own check accepts this one.
          await field.fill("anna@example")
          await page.getByRole("button", { name: texts.save }).click()
          await expect(field).toHaveAttribute("aria-invalid", "true")
          await expect(main).toContainText(translation.checkout.email.invalid)
          await expect(field).toHaveValue("anna@example")

          await field.fill(right)
          await page.getByRole("button", { name: texts.save }).click()
          await expect(main).toContainText(texts.sentTo.replace("{{email}}", right))
          await expect(field).toHaveCount(0)
          await expect(main).toContainText(translation.timeline["email-corrected"])
        },
      )
    })
  }
}

test.describe("after the payment", () => {
  test.use({ locale: "en", userAgent: BROWSER_AGENT })

  test("a buyer corrects the e-mail on the service page and keeps the service", async ({ page }) => {
    test.skip(!isEmbedded(), "An order of an external billing system cannot be moved.")
    const right = uniqueEmail()
    const username = await buyForPage(page, shop)
    await unfold(page, 'a[href*="correct-email"]')
    const card = page.locator(".folded:has(summary small)")
    expect(await addressesOn(card)).toHaveLength(1)
    await page.getByRole("link", { name: enEn.orderEmail.change }).click()
    await expect(page.getByLabel(enEn.orderEmail.label)).toBeVisible()
    expect(await addressesOn(card)).toHaveLength(1)
    await page.getByLabel(enEn.orderEmail.label).fill(right)
    await page.getByRole("button", { name: enEn.orderEmail.save }).click()
    await expect(page.locator("main")).toContainText(right)
    await expect(page.getByText(username).first()).toBeVisible()
    await page.reload()
    await expect(page.getByText(username).first()).toBeVisible()
  })
})

/** The addresses that a card shows, as text and in its fields. */
async function addressesOn(card: Locator): Promise<string[]> {
  const typed = await card
    .locator("input:visible")
    .evaluateAll((all) => all.map((it) => (it as HTMLInputElement).value))
  return [...(await card.innerText()).split(/\s+/), ...typed].filter((it) => it.includes("@"))
}
