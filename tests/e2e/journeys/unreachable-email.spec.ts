import { expect } from "playwright/test"
import { KEPT_EMAIL } from "~/domain/forms/hidden-fields"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { ptPt } from "~/i18n/translations/pt-pt"
import { suppress } from "../../fixtures/database-edits"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, payButton, payOn, reachGateway, scriptRuns } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { isEmbedded, type TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const journeys = [
  { javaScriptEnabled: true, prefix: "", translation: enEn, iso: "en" },
  { javaScriptEnabled: true, prefix: "/de-de", translation: deDe, iso: "de-DE" },
  { javaScriptEnabled: false, prefix: "/pt-pt", translation: ptPt, iso: "pt-PT" },
]

for (const { javaScriptEnabled, prefix, translation, iso } of journeys) {
  const { checkout, orderEmail } = translation
  test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript in ${iso}`, () => {
    test.use({ javaScriptEnabled, locale: iso, userAgent: BROWSER_AGENT })

    test(
      "a buyer is told that mail to the e-mail comes back, and may change or keep it",
      deepUnless(prefix !== "/de-de"),
      async ({ page }) => {
        const [bouncing, right] = [uniqueEmail(), uniqueEmail()]
        suppress(shop, bouncing)
        await page.goto(`${shop.url}/checkout${prefix || "/"}`)
        if (javaScriptEnabled) await scriptRuns(page)
        const email = page.getByLabel(checkout.email.label, { exact: true })
        const pay = payButton(page)
        await email.fill(bouncing)
        await pay.click()
        await expect(page.locator("#order-email-error")).toHaveText(checkout.email.unreachable)
        await expect(email).toHaveAttribute("aria-invalid", "true")
        await expect(email).toHaveValue(bouncing)

        // Another one that comes back is told of too.
        const other = uniqueEmail()
        suppress(shop, other)
        await email.fill(other)
        // The page has said so already: the next press counts once it says so of this one.
        await pay.click()
        await expect(page.locator(`input[name="${KEPT_EMAIL}"]`)).toHaveValue(other)
        await expect(page.locator("#order-email-error")).toHaveText(checkout.email.unreachable)
        await expect(email).toHaveValue(other)

        // A person's press takes its time: the summary loses the focus meanwhile, and what the shop has asked about stays.
        await expect(pay).toBeEnabled()
        await pay.hover()
        await page.mouse.down()
        await expect(page.locator(".problems")).not.toBeFocused()
        await expect(page.locator(`input[name="${KEPT_EMAIL}"]`)).toHaveValue(other)
        await page.mouse.up()
        await reachGateway(page, shop)
        await page.goto(`${shop.url}/checkout${prefix}/waiting`)
        const main = page.locator("main")
        await expect(main).toContainText(orderEmail.sentTo.replace("{{email}}", other))
        if (!isEmbedded()) return expect(main).not.toContainText(orderEmail.unreachable)
        await expect(main).toContainText(orderEmail.unreachable)
        await page.getByRole("link", { name: orderEmail.change }).click()
        await page.getByLabel(orderEmail.label).fill(right)
        await page.getByRole("button", { name: orderEmail.save }).click()
        await expect(main).toContainText(orderEmail.sentTo.replace("{{email}}", right))
        await expect(main).not.toContainText(orderEmail.unreachable)
      },
    )
  })
}

test.describe("an e-mail that nobody has written to", () => {
  test.use({ userAgent: BROWSER_AGENT, locale: "en" })

  test("is not remarked on", async ({ page }) => {
    await page.goto(`${shop.url}/checkout/`)
    await page.locator("[name=email]").fill(uniqueEmail())
    await payOn(page, shop)
    await page.goto(`${shop.url}/checkout/waiting`)
    await expect(page.locator("main")).not.toContainText(enEn.orderEmail.unreachable)
  })
})
