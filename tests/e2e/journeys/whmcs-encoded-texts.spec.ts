import { expect } from "playwright/test"
import { demoCatalogue } from "../../fakes/whmcs-simulator/catalogue"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import { startOnWhmcs, type TestServer } from "../start-shop"
import { deepUnless } from "../tags"

/** HTML in a product's name, which WHMCS returns encoded; it must reach a page as text. */
const NAME = `<img class="injected" src="x" onerror="document.title='injected'"> & "Sport"`
const ESCAPED = "&lt;img class=&quot;injected&quot;"

let shop: TestServer
test.beforeAll(async () => {
  const { products, promotions } = demoCatalogue()
  const catalogue = { products: products.map((product) => ({ ...product, name: NAME })), promotions }
  const started = await startOnWhmcs({}, { catalogue, texts: "encoded" })
  shop = started.shop
})
test.afterAll(() => shop.stop())

for (const prefix of ["", "/de-de"]) {
  test(
    `without JavaScript HTML in decoded texts of WHMCS is shown as text at "${prefix}/" on every page of an order`,
    deepUnless(prefix === "/de-de"),
    async () => {
      const review = await chooseAndPay(new Browser(), { shop, prefix })
      const checkout = await new Browser().visit(`${shop.url}/checkout${prefix || "/"}`)
      const access = await waitForAccess(await payAt(await goToGateway(review)))
      for (const page of [checkout, review, access]) {
        expect(page.text).toContain(NAME)
        expect(page.body).toContain(ESCAPED)
        expect(page.body).not.toContain("<img class")
        expect(page.text).not.toContain("&lt;img")
      }
    },
  )

  test(
    `with JavaScript HTML in decoded texts of WHMCS is shown as text at "${prefix}/"`,
    deepUnless(prefix === ""),
    async ({ page }) => {
      await page.goto(`${shop.url}/checkout${prefix}`)
      const plan = page.locator("main").getByText(NAME, { exact: false }).first()
      await expect(plan).toBeVisible()
      // Choosing another plan renders the names again in the browser.
      await page.locator('input[name="plan"]').first().check({ force: true })
      await expect(plan).toBeVisible()
      await expect(page.locator(".injected")).toHaveCount(0)
      expect(await page.title()).not.toBe("injected")
    },
  )
}
