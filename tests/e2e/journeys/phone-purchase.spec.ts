import { expect, type Locator, type Page } from "playwright/test"
import { locales } from "~/domain/locales"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, scriptRuns, typePromoCode } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import { isEmbedded, type TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const SCREEN = { width: 360, height: 740 }
const MAX_PRESSES = 6
const MAX_LENGTH = 1_700
const MAX_SHIFT = 0.01
const MIN_TARGET = 44

/** Presses what a buyer decides by, as a finger does, and notes how far it is from what was pressed before. */
function buyer(page: Page) {
  const places: number[] = []
  return {
    /** The distances between the decisions, in pixels of the page. */
    distances: () => places.slice(1).map((place, at) => Math.abs(place - (places[at] ?? 0))),
    presses: () => places.length,
    async press(target: Locator) {
      await target.scrollIntoViewIfNeeded()
      const box = await target.boundingBox()
      if (!box) throw new Error("The control is not visible")
      expect(box.height, "a target for a finger").toBeGreaterThanOrEqual(MIN_TARGET)
      const isFixed = await target.evaluate((it) => it.closest(".pay-bar") !== null)
      // The pay bar is on every screen.
      if (!isFixed) places.push(box.y + (await page.evaluate(() => scrollY)))
      else places.push(places.at(-1) ?? 0)
      await target.tap()
    },
  }
}

for (const { prefix, locale, javaScriptEnabled } of [
  { prefix: "", locale: "en", javaScriptEnabled: true },
  { prefix: "/es-es", locale: "es-ES", javaScriptEnabled: true },
  { prefix: "/de-de", locale: "de-DE", javaScriptEnabled: false },
]) {
  test.describe(`in ${locale}, ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled, locale, userAgent: BROWSER_AGENT, hasTouch: true, viewport: SCREEN })

    test(
      "a buyer on a phone leaves for the gateway after six presses at most, each within a screen of the last",
      deepUnless(prefix === ""),
      async ({ page }) => {
        const { press, presses, distances } = buyer(page)
        await page.goto(`${shop.url}/checkout${prefix || "/"}`)
        await press(page.locator(".plan").nth(1))
        await press(page.locator(".extra").first())
        const email = page.locator("[name=email]")
        await press(email)
        await email.fill(uniqueEmail())
        await press(page.locator(".method").first())
        await press(page.locator(".pay-bar button"))
        const review = page.locator('form:has(input[name="draft"]) button.main')
        if (!javaScriptEnabled) await press(review)
        await page.waitForURL((url) => url.origin === shop.sandboxUrl)
        expect(presses()).toBeLessThanOrEqual(MAX_PRESSES)
        for (const distance of distances()) expect(distance).toBeLessThanOrEqual(SCREEN.height)
      },
    )

    test(
      "on a phone a promo code that is refused leads to its field, with the message in view",
      deepUnless(prefix === ""),
      async ({ page }) => {
        await page.goto(`${shop.url}/checkout${prefix || "/"}`)
        if (javaScriptEnabled) await scriptRuns(page)
        await typePromoCode(page, "NO-SUCH-CODE")
        await page.locator('button[value="apply-promo"]').tap()
        const message = page.locator("#order-promoCode-error")
        await expect(message).toBeInViewport({ ratio: 1 })
        const field = page.locator("[name=promoCode]")
        await expect(field).toBeInViewport({ ratio: 1 })
        await expect(field).toHaveValue("NO-SUCH-CODE")
        const isCovered = await message.evaluate((it) => {
          const bar = document.querySelector(".pay-bar")?.getBoundingClientRect()
          return bar !== undefined && it.getBoundingClientRect().bottom > bar.top
        })
        expect(isCovered).toBe(false)
        if (javaScriptEnabled) await expect(field).toBeFocused()
      },
    )
  })
}

test.describe("a first visit by phone", () => {
  test.use({ userAgent: BROWSER_AGENT, viewport: SCREEN })

  test("the checkout is at most 1,700 pixels long in every language", async ({ page }) => {
    test.skip(!isEmbedded(), "Names of products from elsewhere are as long as they are.")
    const lengths: Record<string, number> = {}
    for (const { code, prefix } of locales) {
      await page.goto(`${shop.url}/checkout${prefix || "/"}`)
      // The line of the test mode is not in a shop that sells.
      lengths[code] = await page.locator("body").evaluate((body) => {
        const testMode = document.querySelector(".test-mode")?.getBoundingClientRect().height ?? 0
        return body.scrollHeight - testMode
      })
    }
    const tooLong = Object.entries(lengths).filter(([, length]) => length > MAX_LENGTH)
    expect(tooLong).toEqual([])
  })

  test("nothing moves while the checkout loads", async ({ page }) => {
    await page.goto(`${shop.url}/checkout/`)
    await page.waitForLoadState("networkidle")
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
              sum += (entry as PerformanceEntry & { value: number }).value
          }).observe({ type: "layout-shift", buffered: true })
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
        }),
    )
    expect(shift).toBeLessThanOrEqual(MAX_SHIFT)
  })

  test("the e-mail field asks for the keyboard of addresses and for the browser's own", async ({ page }) => {
    await page.goto(`${shop.url}/checkout/`)
    const email = page.locator("[name=email]")
    await expect(email).toHaveAttribute("type", "email")
    await expect(email).toHaveAttribute("inputmode", "email")
    await expect(email).toHaveAttribute("autocomplete", "email")
    // Enter sends the order.
    await expect(email).toHaveAttribute("enterkeyhint", "go")
  })
})
