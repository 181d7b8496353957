import { expect } from "playwright/test"
import { locales } from "~/domain/locales"
import { orderForPage } from "../../fixtures/purchase-for-page"
import { BROWSER_AGENT, payAndSeeAccess } from "../../support/browser/page-actions"
import { shortLastLinesOn } from "../../support/browser/short-last-lines"
import { splitWordsOn } from "../../support/browser/split-over-lines"
import { test } from "../shop-test"

test.use({ userAgent: BROWSER_AGENT, viewport: { width: 360, height: 740 } })

test("on a phone no heading, sentence or button ends in a line of one short word, in any language", async ({
  page,
  sharedShop,
}) => {
  const shop = await sharedShop()
  const found: string[] = []
  const look = async (path: string) => {
    for (const { code, prefix } of locales) {
      await page.goto(`${shop.url}/checkout${prefix}${path}`)
      await page.evaluate(() => document.fonts.ready)
      for (const text of await shortLastLinesOn(page)) found.push(`${code} ${path}: ${text}`)
    }
  }
  for (const path of ["", "/resellers", "?signin", "/nothing"]) await look(path)
  const payment = await orderForPage(page, shop)
  for (const path of ["/waiting", "/waiting?gateway", "/waiting?abort", "/waiting?paid"]) await look(path)
  await page.goto(payment)
  await payAndSeeAccess(page)
  for (const path of ["/success", "/success?plan=1.monthly", "/success?recreate"]) await look(path)
  expect(found).toEqual([])
})

test("on the smallest phone no word is split over two lines, in any language", async ({
  page,
  sharedShop,
}) => {
  const shop = await sharedShop()
  await page.setViewportSize({ width: 320, height: 740 })
  const found: string[] = []
  const look = async (path: string) => {
    for (const { code, prefix } of locales) {
      await page.goto(`${shop.url}/checkout${prefix}${path}`)
      await page.evaluate(() => document.fonts.ready)
      for (const word of await splitWordsOn(page)) found.push(`${code} ${path}: ${word}`)
    }
  }
  for (const path of ["", "/resellers", "?signin"]) await look(path)
  const payment = await orderForPage(page, shop)
  for (const path of ["/waiting", "/waiting?gateway", "/waiting?abort", "/waiting?paid"]) await look(path)
  await page.goto(payment)
  await payAndSeeAccess(page)
  for (const path of ["/success", "/success?plan=1.monthly", "/success?recreate"]) await look(path)
  expect(found).toEqual([])
})

test("on the smallest phone the header is one row, in any language", async ({ page, sharedShop }) => {
  const shop = await sharedShop()
  await page.setViewportSize({ width: 320, height: 740 })
  const heights: Record<string, number> = {}
  const look = async (visitor: string) => {
    for (const { code, prefix } of locales) {
      await page.goto(`${shop.url}/checkout${prefix}`)
      await page.evaluate(() => document.fonts.ready)
      const { height } = (await page.locator(".top").boundingBox()) ?? { height: 0 }
      if (height > 60) heights[`${code}, ${visitor}`] = height
    }
  }
  await look("new")
  await page.goto(await orderForPage(page, shop))
  await payAndSeeAccess(page)
  await look("with a service")
  expect(heights).toEqual({})
})
