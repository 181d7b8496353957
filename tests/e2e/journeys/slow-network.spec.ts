import { expect } from "playwright/test"
import { enEn } from "~/i18n/screen-texts/en-en"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, scriptRuns } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({ userAgent: BROWSER_AGENT })
test.setTimeout(400_000)

/** Slow 3G, as browsers' developer tools have it. */
const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }

const [said = ""] = enEn.orderReview.going.split("{{host}}")

test("on a slow network the page before the gateway says where it leads, and shows no button that seems to wait", async ({
  page,
}) => {
  await page.addInitScript(recordFrames, said)
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  await page.locator("[name=email]").fill(uniqueEmail())
  const network = await page.context().newCDPSession(page)
  await network.send("Network.enable")
  await network.send("Network.emulateNetworkConditions", slow)
  await page.locator('button.main[value="pay"]:visible').first().click()
  await page.waitForURL((url) => url.origin === shop.sandboxUrl, { timeout: 60_000 })
  await page.goto(`${shop.url}/checkout/offline`)
  const kept = await page.evaluate(() => Object.keys(sessionStorage))
  // Playwright's locators wait for the navigation that is under way, so the page itself has looked.
  expect(kept.filter((key) => key.startsWith("frame"))).toEqual(["frame that says where it leads"])
})

/** Runs in the page: keeps what each frame of the page before the gateway shows, once. */
function recordFrames(said: string): void {
  const look = () => {
    requestAnimationFrame(look)
    const button = document.querySelector('form:has(input[name="draft"]) button')
    if (!button) return
    const isSaid = [...document.querySelectorAll("main .lead span")].some(
      (it) => it.checkVisibility() && it.textContent.startsWith(said),
    )
    const waits = button.checkVisibility({ visibilityProperty: true })
    const shown = `${isSaid ? "says" : "does not say"} where it leads${waits ? ", with a button" : ""}`
    sessionStorage.setItem(`frame that ${shown}`, "")
  }
  requestAnimationFrame(look)
}
