import { expect } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { BROWSER_AGENT, scriptRuns, typePromoCode } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, userAgent: BROWSER_AGENT })

    test(
      "on a phone three plans and the first extra are on the first screen, and total and pay button stay in view",
      deepUnless(javaScriptEnabled),
      async ({ page }) => {
        await page.setViewportSize({ width: 360, height: 740 })
        await page.goto(`${shop.url}/checkout/`)
        const bar = page.locator(".pay-bar")
        const top = (await bar.boundingBox())?.y ?? 0
        for (const shown of [".plan >> nth=0", ".plan >> nth=1", ".plan >> nth=2", ".extra >> nth=0"]) {
          const box = await page.locator(shown).boundingBox()
          expect(box && box.y + box.height, shown).toBeLessThanOrEqual(top)
        }
        const button = bar.getByRole("button", { name: enEn.checkout.pay })
        for (const place of [".plans", "[name=email]", "footer"]) {
          await page.locator(place).first().scrollIntoViewIfNeeded()
          await expect(bar.getByText("€79.00").first()).toBeInViewport()
          await expect(button).toBeInViewport({ ratio: 1 })
        }
      },
    )
  })
}

test("on a phone there is room for a long message between a refused code and the pay bar", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  await typePromoCode(page, "UNKNOWN")
  const field = page.locator("[name=promoCode]")
  // Above the bar by as little as a browser leaves that moves the field into view.
  const lowest = (it: HTMLElement) => scrollBy(0, it.getBoundingClientRect().bottom - innerHeight + 122)
  await field.evaluate(lowest)
  await page.locator('button[value="apply-promo"]').click()
  await expect(page.locator("#order-promoCode-error")).toBeVisible()
  const three = 3 * 22 + 8
  const room = async () => {
    const [box, bar] = [await field.boundingBox(), await page.locator(".pay-bar").boundingBox()]
    return (bar?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0)
  }
  await expect.poll(room).toBeGreaterThanOrEqual(three)
})

test("on a wide screen the summary stays in view while the form scrolls", async ({ page }) => {
  await page.setViewportSize({ width: 1040, height: 600 })
  await page.goto(`${shop.url}/checkout/`)
  await expect(page.locator(".pay-bar")).toBeHidden()
  await page.locator('input[name="gateway"]').last().scrollIntoViewIfNeeded()
  await expect(page.locator(".summary button.main")).toBeInViewport({ ratio: 1 })
})

test("the discount of a promo code ends at the edge that the prices of the summary end at", async ({
  page,
}) => {
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  await typePromoCode(page, "WELCOME10")
  await page.locator('button[value="apply-promo"]').click()
  const edge = (place: string) =>
    page.locator(place).evaluate((it) => Math.round(it.getBoundingClientRect().right))
  await expect(page.locator(".applied.discount")).toBeVisible()
  expect(await edge(".applied > span:last-of-type")).toBe(await edge(".summary .total output"))
})

test("a printed service page shows only the credentials, the QR code of the playlist and the receipt", async ({
  page,
}) => {
  const username = await buyForPage(page, shop)
  await page.emulateMedia({ media: "print", colorScheme: "dark" })
  await expect(page.getByText(username).first()).toBeVisible()
  await expect(page.locator(".access details").first()).toBeHidden()
  await expect(page.locator(".access .printed svg")).toBeVisible()
  await expect(page.locator(".receipt")).toBeVisible()
  for (const rest of [".top", "footer", "h1", "#device", "button", ".tiles", ".upsell"]) {
    for (const element of await page.locator(rest).all()) await expect(element).toBeHidden()
  }
  // Print uses dark text, regardless of the colour scheme.
  const ink = await page
    .locator(".access code")
    .first()
    .evaluate((it) => getComputedStyle(it).color)
  expect(ink).toBe("rgb(21, 27, 46)")
})

test("a printed checkout has the total where the order is, and no bar over its lines", async ({ page }) => {
  await page.setViewportSize({ width: 794, height: 1_000 })
  await page.goto(`${shop.url}/checkout/`)
  await expect(page.locator(".pay-bar")).toBeVisible()
  await page.emulateMedia({ media: "print" })
  await expect(page.locator(".pay-bar")).toBeHidden()
  await expect(page.locator(".summary .total")).toBeVisible()
})
