import { expect, type Locator, type Page } from "playwright/test"
import { enEn } from "~/i18n/translations/en-en"
import { BROWSER_AGENT, scriptRuns } from "../../support/browser/page-actions"
import { test } from "../shop-test"

test.use({ userAgent: BROWSER_AGENT, viewport: { width: 360, height: 740 } })

const problem = (page: Page) => page.locator("#order-email-error")
const method = (page: Page) => page.locator(".gateway .method").last()

test("with a mistyped email a click on a payment method counts, and then the message appears", async ({
  page,
  sharedShop,
}) => {
  await mistype(page, `${(await sharedShop()).url}/checkout/`)
  await pressAtUpperEdge(page, method(page))
  await page.mouse.up()
  await expect(method(page).locator("input")).toBeChecked()
  await expect(problem(page)).toHaveText(enEn.checkout.email.invalid)
  await problem(page).scrollIntoViewIfNeeded()
  await expect(problem(page)).toBeInViewport()
})

test("with a mistyped email a click on a link outside the form counts", async ({ page, sharedShop }) => {
  await mistype(page, `${(await sharedShop()).url}/checkout/`)
  await pressAtUpperEdge(page, page.getByRole("link", { name: enEn.frame.resellers }))
  await page.mouse.up()
  await page.waitForURL("**/resellers")
})

test("a message that is there stays in its place while something is pressed", async ({
  page,
  sharedShop,
}) => {
  await mistype(page, `${(await sharedShop()).url}/checkout/`)
  await page.locator("[name=email]").blur()
  await expect(problem(page)).toBeVisible()
  await page.locator("[name=email]").focus()
  await pressAtUpperEdge(page, method(page))
  await expect(problem(page)).toBeVisible()
  await page.mouse.up()
  await expect(method(page).locator("input")).toBeChecked()
})

test.describe("with a finger", () => {
  test.use({ hasTouch: true })

  test("with a mistyped email a tap on a payment method counts, and then the message appears", async ({
    page,
    sharedShop,
  }) => {
    await mistype(page, `${(await sharedShop()).url}/checkout/`)
    const { x, y } = await upperEdge(method(page))
    await page.touchscreen.tap(x, y)
    await expect(method(page).locator("input")).toBeChecked()
    await expect(problem(page)).toHaveText(enEn.checkout.email.invalid)
  })

  test.describe("in a browser whose taps press nothing, such as Firefox", () => {
    test.use({ bypassCSP: true })

    test("with a mistyped email a tap on a payment method counts, and then the message appears", async ({
      page,
      sharedShop,
    }) => {
      await mistype(page, `${(await sharedShop()).url}/checkout/`)
      await page.addStyleTag({ content: "body:active .problem { position: static !important }" })
      const { x, y } = await upperEdge(method(page))
      await page.touchscreen.tap(x, y)
      await expect(problem(page)).toHaveText(enEn.checkout.email.invalid)
      await expect(method(page).locator("input")).toBeChecked()
    })
  })
})

async function mistype(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await scriptRuns(page)
  // A view as high as the page: a browser scrolls with what grows above it, and a footer that has room does not move.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width: 360, height })
  await page.locator("[name=email]").fill("ana@example")
  await page.locator("[name=email]").focus()
}

/** Presses the mouse's button, and waits until the page has answered. */
async function pressAtUpperEdge(page: Page, target: Locator): Promise<void> {
  const { x, y } = await upperEdge(target)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** A point that a page which grows above it would take out of the target. */
async function upperEdge(target: Locator): Promise<{ x: number; y: number }> {
  await target.evaluate((it) => it.scrollIntoView({ block: "center", behavior: "instant" }))
  const box = await target.boundingBox()
  if (box === null) throw new Error("The target is not visible")
  return { x: box.x + box.width / 2, y: box.y + 2 }
}
