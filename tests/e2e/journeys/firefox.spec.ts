import { expect } from "playwright/test"
import type { Browser, Page } from "puppeteer-core"
import { enEn } from "~/i18n/translations/en-en"
import { uniqueEmail } from "../../fixtures/unique-email"
import {
  arrivesAt,
  choose,
  fill,
  newVisitor,
  open,
  openFirefox,
  press,
  sees,
  textOf,
  visit,
} from "../../support/browser/firefox"
import { needsPackages } from "../needed-packages"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep, deepUnless } from "../tags"

needsPackages("firefox-esr")

const PASSWORD = "correct horse battery staple"
const PAY = 'button.main[value="pay"]'

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.setTimeout(400_000)

for (const javaScriptEnabled of [true, false]) {
  test.describe(`in Firefox ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    let firefox: Browser
    test.beforeAll(async () => {
      firefox = await openFirefox({ javaScriptEnabled })
    })
    test.afterAll(() => firefox.close())
    test(
      "a visitor buys a plan with an extra and a promo code, and gets credentials",
      deepUnless(javaScriptEnabled),
      async () => {
        const page = await newVisitor(firefox)
        await page.goto(`${shop.url}/checkout/`)
        await choose(page, 'input[name="plan"][value="3"]')
        await choose(page, 'input[name="extraConnection"]')
        await fill(page, "[name=email]", uniqueEmail())
        await open(page, "details:has([name=promoCode]) summary", "[name=promoCode]")
        await fill(page, "[name=promoCode]", "WELCOME10")
        await press(page, 'button[value="apply-promo"]')
        await sees(page, 'button[value="remove-promo"]')
        expect(await textOf(page)).toContain("€89.01")
        await press(page, PAY)
        await toGateway(page, javaScriptEnabled)
        await press(page, 'button[value="paid"]')
        await arrivesAt(page, /\/checkout\/success/)
        await expect.poll(() => textOf(page), { timeout: 20_000 }).toMatch(/TV[0-9A-Z]{8}/)
      },
    )

    test("a buyer who returns without paying finds the order and pays at another gateway", deep, async () => {
      const page = await newVisitor(firefox)
      await page.goto(`${shop.url}/checkout/de-de`)
      await fill(page, "[name=email]", uniqueEmail())
      await press(page, PAY)
      await toGateway(page, javaScriptEnabled)
      await press(page, 'button[value="abandoned"]')
      await arrivesAt(page, /\/checkout\/de-de\/waiting/)
      await sees(page, ".qr svg")
      await open(page, 'a[href$="?gateway"]', 'main button[value="gateway"]')
      await choose(page, 'input[name="gateway"][value="coinbase"]')
      await press(page, 'main button[value="gateway"]')
      await arrivesAt(page, /\/coinbase/)
      await press(page, 'button[value="paid"]')
      await arrivesAt(page, /\/checkout\/de-de\/success/)
    })

    test("a visitor signs up as a reseller and creates a line", deep, async () => {
      const page = await newVisitor(firefox)
      await page.goto(`${shop.url}/checkout/resellers`)
      await fill(page, "[name=email]", uniqueEmail("reseller"))
      await fill(page, "[name=newPassword]", PASSWORD)
      await fill(page, "[name=confirmPassword]", PASSWORD)
      await press(page, PAY)
      await toGateway(page, javaScriptEnabled)
      await press(page, 'button[value="paid"]')
      await arrivesAt(page, /\/checkout\/resellers\/success/)
      await fill(page, "[name=notes]", "Leo, living room")
      await press(page, "#line button.main")
      await sees(page, ".line-row a")
      expect(await textOf(page)).toContain("Leo, living room")
    })

    test("an invalid email shows a field error", deep, async () => {
      const page = await newVisitor(firefox)
      await page.goto(`${shop.url}/checkout/`)
      await fill(page, "[name=email]", "ana@example")
      await press(page, PAY)
      await sees(page, "#order-email-error")
      expect(await textOf(page)).toContain(enEn.checkout.email.invalid)
      expect(
        await page.evaluate(() => document.activeElement?.matches("[name=email], .problems, body")),
      ).toBe(true)
    })

    test("no page scrolls horizontally at a width of 320 px", deep, async () => {
      const page = await newVisitor(firefox)
      await page.setViewport({ width: 320, height: 640 })
      for (const path of ["/", "/de-de/resellers", "/pt-pt?signin", "/nl-nl/nowhere"]) {
        await visit(page, `${shop.url}/checkout${path}`)
        const { scrollWidth, clientWidth } = await page.evaluate(() => ({
          scrollWidth: document.documentElement.scrollWidth,
          clientWidth: document.documentElement.clientWidth,
        }))
        expect([path, scrollWidth]).toEqual([path, clientWidth])
      }
    })
  })
}

/** Goes to the gateway's page, without JavaScript by the button of the review step. */
async function toGateway(page: Page, javaScriptEnabled: boolean): Promise<void> {
  if (!javaScriptEnabled) await press(page, 'form:has(input[name="draft"]) button')
  await arrivesAt(page, new RegExp(`^${shop.sandboxUrl}`))
}
