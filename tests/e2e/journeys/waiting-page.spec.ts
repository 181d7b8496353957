import { expect } from "playwright/test"
import { dateTagOf, localeOfIso } from "~/domain/locales"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { orderForPage } from "../../fixtures/purchase-for-page"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

for (const javaScriptEnabled of [true, false]) {
  for (const { prefix, translation, iso } of [
    { prefix: "", translation: enEn, iso: "en" },
    { prefix: "/de-de", translation: deDe, iso: "de-DE" },
  ]) {
    test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript in ${iso}`, () => {
      test.use({ javaScriptEnabled, locale: iso, userAgent: BROWSER_AGENT })
      const details = deepUnless(javaScriptEnabled === (prefix === ""))

      test(
        "the QR code for another device is shown on desktops, not on phones",
        details,
        async ({ page }) => {
          await page.setViewportSize(phone)
          await orderForPage(page, shop, { prefix })
          await page.goto(`${shop.url}/checkout${prefix}/waiting`)
          await expect(page.getByRole("link", { name: new URL(shop.sandboxUrl).host })).toBeVisible()
          await expect(page.getByText(translation.waiting.qr)).toBeHidden()
          await expect(page.locator(".qr svg")).toBeHidden()
          await page.setViewportSize(desktop)
          await expect(page.getByText(translation.waiting.qr)).toBeVisible()
          await expect(page.locator(".qr svg")).toBeVisible()
        },
      )

      test(
        "the countdown ends when BTCPay's page says, and the order is kept longer",
        details,
        async ({ page }) => {
          await page.goto(await orderForPage(page, shop, { prefix, gateway: "btcpay" }))
          const sandbox = await page.locator("body").innerText()
          await page.goto(`${shop.url}/checkout${prefix}/waiting`)
          const end = (await page.locator(".time-left time").getAttribute("datetime")) ?? ""
          expect(sandbox).toContain(clockIn(iso, new Date(end)))
          const [remaining = ""] = translation.waiting.orderUntil.split("{{moment}}")
          await expect(page.locator("main")).toContainText(remaining)
        },
      )
    })
  }
}

/** The time of day as the sandbox's payment page writes it. */
function clockIn(iso: string, instant: Date): string {
  const clock = { hour: "numeric", minute: "2-digit", timeZone: "UTC" } as const
  return new Intl.DateTimeFormat(dateTagOf(localeOfIso(iso)), clock).format(instant)
}
