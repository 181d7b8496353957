import { expect, type Page } from "playwright/test"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, scriptRuns, typePromoCode } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

// A service worker would answer for the style sheet from its cache.
test.use({ userAgent: BROWSER_AGENT, serviceWorkers: "block" })

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const hasLaterStyle = (page: Page) =>
  page.evaluate(() => [...document.styleSheets].some(({ href }) => href?.includes("/assets/service-")))

/** Selectors of the style of later screens that something on the page matches, but for those of print. */
async function laterRulesOn(page: Page): Promise<string[]> {
  await expect.poll(() => hasLaterStyle(page)).toBe(true)
  return page.evaluate(() => {
    const states = /::?(before|after|hover|focus|focus-visible|active|checked|-webkit-[a-z-]+)\b/g
    const later = [...document.styleSheets].find(({ href }) => href?.includes("/assets/service-"))
    const onScreen = [...(later?.cssRules ?? [])].flatMap((rule) => {
      if (!("conditionText" in rule)) return [rule]
      const { conditionText, cssRules } = rule as CSSConditionRule
      return conditionText === "print" ? [] : [...cssRules]
    })
    const selectors = onScreen.flatMap((rule) => (rule instanceof CSSStyleRule ? [rule.selectorText] : []))
    return selectors.filter((it) => document.querySelector(it.replace(states, "").replaceAll(":has()", "")))
  })
}

test("the checkout needs no rule of the style that comes after its first paint", async ({ page }) => {
  await page.goto(`${shop.url}/checkout/`)
  expect(await laterRulesOn(page)).toEqual([])
  await typePromoCode(page, "UNKNOWN")
  await page.locator('button[value="apply-promo"]').click()
  await expect(page.locator("[name=promoCode]")).toHaveAttribute("aria-invalid", "true")
  expect(await laterRulesOn(page)).toEqual([])
  await page.locator('button.main[value="pay"]:visible').first().click()
  await expect(page.locator("[name=email]")).toHaveAttribute("aria-invalid", "true")
  expect(await laterRulesOn(page)).toEqual([])
})

test("neither does the checkout of a customer with a service", async ({ page }) => {
  await buyForPage(page, shop, { email: uniqueEmail() })
  await page.goto(`${shop.url}/checkout/`)
  expect(await laterRulesOn(page)).toEqual([])
})

test("a screen that is reached without a new document has its style", async ({ page }) => {
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.locator('a[href$="/resellers"]').first().click()
  await expect(page.locator("fieldset.bare").first()).toHaveCSS("border-top-width", "0px")
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true)
})

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false })

  test("each later screen brings all of its style", async ({ page }) => {
    await buyForPage(page, shop, { email: uniqueEmail() })
    await expect(page.locator(".setup-steps").first()).toHaveCSS("display", "grid")
    await expect(page.locator('link[rel="stylesheet"]')).toHaveCount(0)
  })
})
