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
  const covered = new Map<string, number>()
  const look = async (name: string, code: string) => {
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      for (const what of await crookedOn(page)) crooked.push(`${name} at ${width} px: ${what}`)
      // On the narrowest phones the value has no room beside the buttons.
      if (width < 360) continue
      const height = await passwordRow(page).evaluate((row) => row.getBoundingClientRect().height)
      const before = covered.get(`${code} ${width}`) ?? height
      covered.set(`${code} ${width}`, before)
      if (Math.abs(height - before) > 1) crooked.push(`${name} at ${width} px: the row grows`)
    }
  }
  for (const { prefix, code } of locales) {
    await page.goto(`${shop.url}/checkout${prefix}/success`)
    await scriptRuns(page)
    await look(`${code}, covered`, code)
    await page.locator(".credential summary").first().click()
    await look(`${code}, uncovered`, code)
  }
  expect(crooked).toEqual([])
})

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
