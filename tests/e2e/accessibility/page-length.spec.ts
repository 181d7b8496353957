import { rmSync } from "node:fs"
import { expect, type Page } from "playwright/test"
import { locales } from "~/domain/locales"
import { declareAll, fromGermany, settingsWithLaw } from "../../fixtures/shop-with-law"
import { offerTrial } from "../../fixtures/shop-with-trial"
import { uniqueEmail } from "../../fixtures/unique-email"
import { BROWSER_AGENT, payAndSeeAccess, payOn } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"
import { deep } from "../tags"

/** A phone, and the most pixels that its pages are long. */
const PHONE = { width: 360, height: 740 }
const CHECKOUT = 1_700
const SERVICE = 1_800
const TRIAL = 800
const MAX_SHIFT = 0.01
/** A country from which orders are held. */
const BLOCKED = "KP"

const { env, folder } = settingsWithLaw()
let shop: TestServer
test.beforeAll(async () => {
  shop = await startShop({ env })
})
test.afterAll(async () => {
  await shop.stop()
  rmSync(folder, { recursive: true })
})
test.use({ userAgent: BROWSER_AGENT, viewport: PHONE })
test.setTimeout(400_000)

test(
  "on a phone the pages of a purchase have their length in every language, and nothing moves",
  deep,
  async ({ browser }) => {
    const lengths: Record<string, number> = {}
    const shifts: Record<string, number> = {}
    for (const { code, prefix } of locales) {
      const page = await browser.newPage({ userAgent: BROWSER_AGENT, viewport: PHONE })
      const look = async (name: string, path: string) => {
        await page.goto(`${shop.url}/checkout${prefix}${path}`)
        await page.waitForLoadState("networkidle")
        lengths[`${name} ${code}`] = await lengthOf(page)
        shifts[`${name} ${code}`] = await shiftOf(page)
      }
      const home = prefix === "" ? "/" : ""
      await look("checkout", home)
      await look("elsewhere", `${home}?elsewhere`)
      await fromGermany(page)
      await look("law", home)
      await page.locator("[name=email]").fill(uniqueEmail())
      await declareAll(page)
      await payOn(page, shop)
      const payment = page.url()
      await look("waiting", "/waiting")
      await page.goto(payment)
      await payAndSeeAccess(page)
      await look("service", "/success")
      await look("resellers", "/resellers")
      await page.close()
    }
    // The checkout says of an order on hold that it is still checked.
    await runServerCommand(["admin", "blocks", "add", BLOCKED], { DATA_DIR: shop.dataDir })
    for (const { code, prefix } of locales) {
      const page = await browser.newPage({
        userAgent: BROWSER_AGENT,
        viewport: PHONE,
        extraHTTPHeaders: { "x-country": BLOCKED },
      })
      const home = `${shop.url}/checkout${prefix === "" ? "/" : prefix}`
      await page.goto(home)
      await page.locator("[name=email]").fill(uniqueEmail())
      await page.locator('button.main[value="pay"]:visible').first().click()
      await expect(page.locator(".reference code")).toBeVisible()
      await page.goto(home)
      await page.waitForLoadState("networkidle")
      await expect(page.locator('.steps a[href$="/creatingOrder"]')).toBeVisible()
      lengths[`held ${code}`] = await lengthOf(page)
      await page.close()
    }
    // Last, since the checkout then has one line more.
    await offerTrial(shop)
    for (const { code, prefix } of locales) {
      const page = await browser.newPage({ userAgent: BROWSER_AGENT, viewport: PHONE })
      await expect(async () => {
        await page.goto(`${shop.url}/checkout${prefix}/trial`)
        await expect(page.locator("#trial-email")).toBeVisible({ timeout: 500 })
      }).toPass()
      await page.waitForLoadState("networkidle")
      lengths[`trial ${code}`] = await lengthOf(page)
      shifts[`trial ${code}`] = await shiftOf(page)
      await page.close()
    }
    expect(longer(lengths, "checkout", CHECKOUT)).toEqual([])
    expect(longer(lengths, "law", CHECKOUT)).toEqual([])
    expect(longer(lengths, "held", CHECKOUT)).toEqual([])
    expect(longer(lengths, "elsewhere", CHECKOUT)).toEqual([])
    expect(longer(lengths, "service", SERVICE)).toEqual([])
    expect(longer(lengths, "trial", TRIAL)).toEqual([])
    expect(Object.entries(shifts).filter(([, shift]) => shift > MAX_SHIFT)).toEqual([])
  },
)

function longer(lengths: Readonly<Record<string, number>>, page: string, most: number) {
  return Object.entries(lengths).filter(([name, length]) => name.startsWith(page) && length > most)
}

/** Length of the page in pixels, without the line of the test mode, which is not in a shop that sells. */
function lengthOf(page: Page): Promise<number> {
  return page.locator("body").evaluate((body) => {
    const testMode = document.querySelector(".test-mode")?.getBoundingClientRect().height ?? 0
    return body.scrollHeight - testMode
  })
}

/** Layout shift since the page has been loaded. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: "layout-shift", buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
      }),
  )
}
