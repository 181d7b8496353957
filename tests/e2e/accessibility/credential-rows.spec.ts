import { expect, type Page } from "playwright/test"
import { locales } from "~/domain/locales"
import { buyForPage } from "../../fixtures/purchase-for-page"
import { BROWSER_AGENT, scriptRuns } from "../../support/browser/page-actions"
import { test } from "../shop-test"

test.use({ userAgent: BROWSER_AGENT })

test("the password stands below its label, covered and uncovered, beside its two buttons in one row, and moves nothing, in every language", async ({
  page,
  sharedShop,
}) => {
  const shop = await sharedShop()
  await buyForPage(page, shop)
  const crooked: string[] = []
  for (const { prefix, code } of locales) {
    await page.goto(`${shop.url}/checkout${prefix}/success`)
    await scriptRuns(page)
    const covered = await look(page)
    await page.locator(".credential summary").first().click()
    const uncovered = await look(page)
    const moved = uncovered.heights.map((height, at) => Math.abs(height - (covered.heights[at] ?? 0)) > 1)
    crooked.push(...[...covered.crooked, ...uncovered.crooked].map((what) => `${code}: ${what}`))
    crooked.push(...(moved.includes(true) ? [`${code}: the row grows at ${moved}`] : []))
  }
  expect(crooked).toEqual([])
})

/** What is out of line, and the heights of the row where the value has room beside the buttons. */
async function look(page: Page): Promise<{ crooked: string[]; heights: number[] }> {
  const crooked: string[] = []
  const heights: number[] = []
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    crooked.push(...(await crookedOn(page)).map((what) => `at ${width} px ${what}`))
    const height = await passwordRow(page).evaluate((row) => row.getBoundingClientRect().height)
    heights.push(...(width < 360 ? [] : [height]))
  }
  return { crooked, heights }
}

const passwordRow = (page: Page) => page.locator(".credential", { has: page.locator("summary") }).first()

/** What is out of line in the row of the password. */
function crookedOn(page: Page): Promise<string[]> {
  return passwordRow(page).evaluate((row) => {
    const boxOf = (selector: string) => row.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
    const label = boxOf("small")
    const value = boxOf(row.querySelector("[open]") ? "details > code" : ".dots")
    const uncover = boxOf("summary .button")
    const copy = boxOf(".credential-buttons button")
    const isBeside = value.top < uncover.bottom && value.bottom > uncover.top
    const found = {
      "the value covers its label": value.top < label.bottom - 2,
      "the value has two lines": value.height > 30,
      "the value is far below its label": isBeside && value.top > label.bottom + 6,
      "the value is under the button": isBeside && value.right > uncover.left,
      "the buttons are in two rows": Math.abs(uncover.top - copy.top) > 0.6,
    }
    return Object.entries(found).flatMap(([what, isSo]) => (isSo ? [what] : []))
  })
}
