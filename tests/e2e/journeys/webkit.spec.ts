import { expect } from "playwright/test"
import { uniqueEmail } from "../../fixtures/unique-email"
import { openWebKit, type WebKit } from "../../support/browser/webkit"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import { deep } from "../tags"

needsPackages("webkit2gtk-driver", "xvfb")

let webkit: WebKit
// One each, since a buyer of before is known by its cookies.
test.beforeEach(async () => {
  webkit = await openWebKit()
})
test.afterEach(() => webkit.close())

test(
  "in WebKit a visitor buys a plan with an extra and a promo code, and gets credentials",
  deep,
  async ({ sharedShop }) => {
    const shop = await sharedShop()
    await webkit.visit(`${shop.url}/checkout/`)
    await webkit.scriptRuns()
    await webkit.press('label:has(input[name="plan"][value="3"])')
    await webkit.press('label:has(input[name="extraConnection"])')
    await webkit.fill("[name=email]", uniqueEmail())
    await webkit.press("details:has([name=promoCode]) summary")
    await webkit.fill("[name=promoCode]", "WELCOME10")
    await webkit.press('button[value="apply-promo"]')
    await webkit.sees('button[value="remove-promo"]')
    expect(await webkit.text()).toContain("€89.01")
    await webkit.press('button.main[value="pay"]')
    await expect.poll(() => webkit.url(), { timeout: 20_000 }).toContain(shop.sandboxUrl)
    await webkit.press('button[value="paid"]')
    await expect.poll(() => webkit.text(), { timeout: 40_000 }).toMatch(/TV[0-9A-Z]{8}/)
    expect(await webkit.url()).toMatch(/\/checkout\/success$/)
  },
)

test(
  "in WebKit the Back button leads from the gateway to the order, also when pressed twice",
  deep,
  async ({ sharedShop }) => {
    const shop = await sharedShop()
    await webkit.visit(`${shop.url}/checkout/`)
    await webkit.scriptRuns()
    await webkit.fill("[name=email]", uniqueEmail())
    await webkit.press('button.main[value="pay"]')
    await expect.poll(() => webkit.url(), { timeout: 20_000 }).toContain(shop.sandboxUrl)
    await webkit.sees('button[value="paid"]')
    for (const _ of ["once", "twice"]) {
      await webkit.back()
      await expect.poll(() => webkit.url(), { timeout: 20_000 }).toMatch(/\/checkout\/waiting(\?open)?$/)
      await webkit.sees(`a[href^="${shop.sandboxUrl}"]`)
    }
  },
)
