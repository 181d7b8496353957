import { expect, type Page } from "playwright/test"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { endedDaysAgo } from "../../fixtures/stored-terms"
import { BROWSER_AGENT, unfold } from "../../support/browser/page-actions"
import { common } from "../browser-settings"
import { test } from "../shop-test"

const launched = common.use?.launchOptions

test.use({
  userAgent: BROWSER_AGENT,
  viewport: { width: 360, height: 740 },
  launchOptions: { ...launched, args: [...(launched?.args ?? []), "--blink-settings=defaultFontSize=32"] },
})

test("with letters twice as large in the browser's settings no date and no device's address of a service is split on a phone", async ({
  page,
  sharedShop,
}) => {
  const { url } = await sharedShop()
  await buyForPage(page, await sharedShop())
  await (await unfold(page, "[name=deviceAddress]")).fill("00:1A:79:AB:CD:EF")
  await page.locator('button[value="device"]').click()
  await page.waitForURL(/done=device/)
  for (const prefix of ["", "/de-de", "/nl-nl", "/es-es", "/pt-pt"]) {
    for (const path of ["/success", "/success?plan=1.monthly"]) {
      await page.goto(`${url}/checkout${prefix}${path}`)
      await page.evaluate(() => document.fonts.ready)
      await expect(page.locator("body")).toHaveCSS("font-size", "32px")
      expect(await splitOn(page), `${prefix}${path}`).toEqual([])
    }
  }
})

test("with letters twice as large no date of a service is split on the smallest phone", async ({
  page,
  sharedShop,
}) => {
  await page.setViewportSize({ width: 320, height: 740 })
  await buyForPage(page, await sharedShop())
  for (const prefix of ["", "/de-de", "/nl-nl", "/es-es", "/pt-pt"]) {
    await page.goto(`${(await sharedShop()).url}/checkout${prefix}/success`)
    await page.evaluate(() => document.fonts.ready)
    expect(await splitOn(page), prefix).toEqual([])
  }
})

test("with letters twice as large the field of a device's address shows all of it on a phone", async ({
  page,
  sharedShop,
}) => {
  await buyForPage(page, await sharedShop())
  const field = await unfold(page, "[name=deviceAddress]")
  // The widest figures and letters.
  await field.fill("00:CA:DA:DC:DA:DD")
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 740 })
    expect([width, await field.evaluate((it) => it.scrollWidth - it.clientWidth)]).toEqual([width, 0])
  }
})

test("with letters twice as large a German heading does not end a line in 'E-'", async ({
  page,
  sharedShop,
}) => {
  await page.goto(`${(await sharedShop()).url}/checkout/de-de`)
  await page.evaluate(() => document.fonts.ready)
  const lines = await page
    .locator("h2", { hasText: "E-\u2060Mail" })
    .first()
    .evaluate((heading) => {
      const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
      const topOf = (node: Node, index: number) => {
        const letter = document.createRange()
        letter.setStart(node, index)
        letter.setEnd(node, index + 1)
        return Math.round(letter.getBoundingClientRect().top)
      }
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const at = node.textContent?.indexOf("E-\u2060Mail") ?? -1
        if (at >= 0) return [topOf(node, at), topOf(node, at + 3)]
      }
      return []
    })
  expect(lines[0]).toBeDefined()
  expect(lines[1]).toBe(lines[0])
})

test("with letters twice as large what happens to a service that is not renewed keeps the width of a small phone", async ({
  page,
  sharedShop,
}) => {
  const shop = await sharedShop()
  const username = await buyForPage(page, shop, { plan: "1" })
  endedDaysAgo(shop.dataDir, username, { days: 1, ending: "kept" })
  await page.setViewportSize({ width: 320, height: 740 })
  for (const prefix of ["/de-de", "/es-es", "/pt-pt"]) {
    await page.goto(`${shop.url}/checkout${prefix}/success`)
    const widths = await page.locator(".days dd").evaluateAll((all) => all.map((it) => it.clientWidth))
    expect(Math.min(...widths)).toBeGreaterThan(200)
  }
})

/** Visible dates, but for the year of a Spanish or Portuguese one, and device addresses that stand on more than one line. */
function splitOn(page: Page): Promise<string[]> {
  return page.locator("main").evaluate((main) => {
    const whole =
      /\d+\.?\u00a0\p{L}+\u00a0\d{4}|\d+\u00a0de\u00a0\p{L}+|de\u00a0\d{4}|\p{L}+\u00a0\d+,\u00a0\d{4}|(?:[0-9A-F]{2}:){5}[0-9A-F]{2}/gu
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    const isSplit = (node: Node, { 0: text, index }: RegExpExecArray) => {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + text.length)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
    }
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!node.parentElement?.checkVisibility()) continue
      const words = [...(node.textContent ?? "").matchAll(whole)]
      found.push(...words.filter((it) => isSplit(node as Node, it)).map(([text]) => text))
    }
    return found
  })
}
