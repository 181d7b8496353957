import { expect, type Page } from "playwright/test"
import { orderForPage } from "../../fixtures/purchase-for-page"
import { operatorPage } from "../../fixtures/signed-in-operator"
import { BROWSER_AGENT, orderOn, payAndSeeAccess } from "../../support/browser/page-actions"
import { overflowsOn } from "../../support/browser/text-overflow"
import { common } from "../browser-settings"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

const launched = common.use?.launchOptions
const PHONE = { width: 360, height: 740 }
const DESK = { width: 1280, height: 800 }

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({
  userAgent: BROWSER_AGENT,
  launchOptions: { ...launched, args: [...(launched?.args ?? []), "--blink-settings=defaultFontSize=24"] },
})

test("with letters half as large again in the browser's settings, every page of a purchase grows and fits", async ({
  page,
}) => {
  const texts: string[] = []
  const look = async (path: string) => {
    await page.goto(`${shop.url}/checkout/de-de${path}`)
    await expect(page.locator("body")).toHaveCSS("font-size", "24px")
    for (const size of [PHONE, DESK]) {
      await page.setViewportSize(size)
      for (const text of [...(await overflowsOn(page)), ...(await brokenNames(page))])
        texts.push(`${path} at ${size.width} px: ${text}`)
    }
  }
  await look("")
  const payment = await orderForPage(page, shop)
  await look("/waiting")
  await page.goto(payment)
  await payAndSeeAccess(page)
  for (const path of ["/success", "/success?renew", "/success?plan=1.monthly"]) await look(path)
  expect(texts).toEqual([])
})

test("with letters half as large again every page of the console's menu fits a phone, with its forms unfolded", async ({
  browser,
}) => {
  const desk = await operatorPage(browser, shop, { javaScriptEnabled: true })
  const links = desk.locator("nav.side a")
  const pages = await links.evaluateAll((all) => all.map((it) => it.getAttribute("href") ?? ""))
  expect(pages.length).toBeGreaterThan(15)
  await desk.setViewportSize(PHONE)
  const texts: string[] = []
  for (const path of pages) {
    await desk.goto(`${shop.url}${path}`)
    await desk.locator("main details").evaluateAll((folds) => {
      for (const fold of folds) fold.setAttribute("open", "")
    })
    for (const text of await overflowsOn(desk)) texts.push(`${path}: ${text}`)
  }
  expect(texts).toEqual([])
})

test("with letters twice as large nothing on the service page is over its neighbour or off its card", async ({
  page,
}) => {
  await page.goto(await orderForPage(page, shop))
  await payAndSeeAccess(page)
  await page.setViewportSize(DESK)
  // Twice the size, on a desk: the rules for a narrow page do not help here.
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "32px"
  })
  const room = await page.locator(".credential:has(summary)").evaluate((row) => {
    const label = row.querySelector("small")?.getBoundingClientRect()
    const dots = row.querySelector(".dots")?.getBoundingClientRect()
    return (dots?.top ?? 0) - (label?.bottom ?? 0)
  })
  expect(room).toBeGreaterThanOrEqual(-2)
  const off = await page
    .locator(".card summary")
    .evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent))
  expect(off).toEqual([])
})

test("with letters half as large again on the smallest phone a long address breaks at its parts", async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 })
  const email = `maximiliana.hohenzollern${Date.now() % 1_000}@mail.example.test`
  await orderOn(page, shop, { email })
  await page.goto(`${shop.url}/checkout/de-de/waiting`)
  const parts = await page.locator(".order-email .note").evaluate((note) =>
    [...note.childNodes].flatMap((it) => {
      if (it.nodeType !== Node.TEXT_NODE) return []
      const text = document.createRange()
      text.selectNodeContents(it)
      return [[it.textContent, new Set([...text.getClientRects()].map(({ top }) => top)).size]]
    }),
  )
  expect(parts.map(([part]) => part).join("")).toContain(email)
  expect(parts.filter(([part]) => /^[.@]/.test(String(part))).map(([, lines]) => lines)).toEqual([1, 1, 1, 1])
  expect(await overflowsOn(page)).toEqual([])
})

/** Names of plans with a line break within a word. */
function brokenNames(page: Page): Promise<string[]> {
  return page.locator(".plan-name").evaluateAll((names) =>
    names.flatMap((it) => {
      const text = document.createRange()
      text.selectNodeContents(it)
      const lines = new Set([...text.getClientRects()].map(({ top }) => top)).size
      return lines > 1 ? [it.textContent] : []
    }),
  )
}
