import { decode } from "fast-png"
import { expect, type Locator, type Page } from "playwright/test"
import { HOUR } from "~/domain/calendar"
import { enEn as screenTexts } from "~/i18n/screen-texts/en-en"
import { enEn } from "~/i18n/translations/en-en"
import { placedBefore, seenByTheGateway } from "../../fixtures/database-edits"
import { buyForPage, orderForPage } from "../../fixtures/purchase-for-page"
import { signInLink } from "../../fixtures/sign-in-link"
import { uniqueEmail } from "../../fixtures/unique-email"
import { press, tabTo } from "../../support/browser/keyboard-navigation"
import { hasLaterStyle } from "../../support/browser/later-style"
import {
  BROWSER_AGENT,
  orderNumberOn,
  payAndSeeAccess,
  scriptRuns,
  typePromoCode,
  unfold,
} from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({ userAgent: BROWSER_AGENT })

test("an invalid form is not submitted, and its invalid field gets focus and the error as description", async ({
  page,
}) => {
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  await page.locator("[name=email]").fill("no e-mail")
  await page.locator('button.main[value="pay"]:visible').first().click()
  await expect(page.locator("[name=email]")).toBeFocused()
  await expect(page.locator("[name=email]")).toHaveAccessibleDescription(enEn.checkout.email.invalid)
  await expect(page.getByRole("alert")).toHaveText(enEn.checkout.email.invalid)
})

test("client-side navigation moves focus to the page's heading", async ({ page }) => {
  await page.goto(`${shop.url}/checkout/resellers`)
  await scriptRuns(page)
  await press(page, page.locator(".brand"))
  await expect(page.locator("h1")).toHaveText(enEn.checkout.heading)
  await expect(page.locator("h1")).toBeFocused()
})

test(
  "from the account to a service the focus moves to the heading, as on any other page",
  deep,
  async ({ page }) => {
    const email = uniqueEmail()
    await buyForPage(page, shop, { email })
    await page.goto(signInLink(shop, email))
    await scriptRuns(page)
    const heading = page.locator("h1")
    await press(page, page.locator(".account-link"))
    await expect(heading).toHaveText("Your account")
    await expect(heading).toBeFocused()
    await press(page, page.locator(".services a").first())
    await expect(page.locator(".place")).toBeVisible()
    await expect(heading).toBeFocused()
    await expect(heading).toBeInViewport()
  },
)

test("a confirmation question gets focus, and keeping the order returns focus to its link", async ({
  page,
}) => {
  await orderForPage(page, shop)
  await page.goto(`${shop.url}/checkout/waiting`)
  for (const question of ["gateway", "edit", "abort"]) {
    const link = page.locator(`main a[href$="?${question}"]`)
    await press(page, link)
    await expect(page.locator("#question")).toBeFocused()
    await press(page, page.locator(".question a.button"))
    await expect(link).toBeFocused()
  }
})

test("a receipt that is opened gets focus, and is in sight", deep, async ({ page }) => {
  await buyForPage(page, shop)
  await scriptRuns(page)
  await expect(page.locator(".receipt h3")).not.toBeFocused()
  await press(page, page.locator('a[href*="receipt="]'))
  await expect(page.locator(".receipt h3")).toBeFocused()
  await expect(page.locator(".receipt h3")).toBeInViewport()
})

test("a live region that was there before says that a promo code is applied", deep, async ({ page }) => {
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  const region = page.locator(".summary [role=status]").first()
  const before = await region.elementHandle()
  await expect(region).toBeEmpty()
  await typePromoCode(page, "WELCOME10")
  await page.locator('button[value="apply-promo"]').click()
  await expect(region).toContainText("WELCOME10")
  expect(await region.evaluate((now, then) => now === then, before)).toBe(true)
})

test("removing a promo code returns focus to the promo code field", deep, async ({ page }) => {
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  await typePromoCode(page, "WELCOME10")
  await page.locator('button[value="apply-promo"]').click()
  await press(page, page.locator('button[value="remove-promo"]'))
  await expect(page.locator('button[value="remove-promo"]')).toHaveCount(0)
  await expect(page.locator("[name=promoCode]")).toBeFocused()
})

test(
  "the promo code field stays open while a code is typed after none was entered",
  deep,
  async ({ page }) => {
    await page.goto(`${shop.url}/checkout/`)
    await scriptRuns(page)
    const field = await unfold(page, "[name=promoCode]")
    await page.locator('button[value="apply-promo"]').click()
    await expect(page.locator("#order-promoCode-error")).toBeVisible()
    await field.press("W")
    await expect(page.locator("#order-promoCode-error")).toBeHidden()
    await expect(field).toBeFocused()
    await expect(field).toBeVisible()
  },
)

test("an invalid device address moves focus to its field", deep, async ({ page }) => {
  await buyForPage(page, shop)
  await scriptRuns(page)
  await (await unfold(page, "[name=deviceAddress]")).fill("no device")
  await press(page, page.locator('button[value="device"]'))
  await expect(page.locator("#device-deviceAddress-error")).toBeVisible()
  await expect(page.locator("[name=deviceAddress]")).toBeFocused()
})

test("Escape and moving focus out close the language menu", deep, async ({ page }) => {
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  const list = page.locator(".languages ul")
  await press(page, page.locator(".languages summary"))
  await tabTo(page, page.locator(".languages button").nth(2))
  await page.keyboard.press("Escape")
  await expect(list).toBeHidden()
  await expect(page.locator(".languages summary")).toBeFocused()
  await page.keyboard.press("Enter")
  await expect(list).toBeVisible()
  await tabTo(page, page.locator('a[href$="?signin"]'))
  await expect(list).toBeHidden()
})

test("where a pressed button gets no focus, as in Safari, the page stays in its place after it", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await focusesNoButtons(page)
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  const pounds = page.locator('button[value="currency-GBP"]')
  await pounds.scrollIntoViewIfNeeded()
  await pounds.click()
  await expect(page.locator(".summary output")).toContainText("£")
  await expect(pounds).toBeInViewport()
  await expect(page.locator("h1")).not.toBeFocused()
})

test("live regions announce changes of the total, the time left and the payment status", async ({ page }) => {
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  const total = page.locator(".summary output")
  await expect(total).toHaveAttribute("aria-live", "polite")
  await page.locator('input[name="plan"][value="1"]').check({ force: true })
  await expect(total).toHaveText("€12.00")

  await page.clock.install()
  await orderForPage(page, shop)
  await page.goto(`${shop.url}/checkout/waiting`)
  const left = page.locator(".time-left [aria-live]")
  await expect(page.locator(".qr svg")).toBeVisible()
  await scriptRuns(page)
  // Counted down in the last quarter of the day alone.
  await expect(left).toBeEmpty()
  const number = await orderNumberOn(page)
  placedBefore(shop, number, 19 * HOUR)
  await page.reload()
  await scriptRuns(page)
  const first = await left.innerText()
  expect(first).not.toBe("")
  await page.clock.runFor(20_000)
  await expect(left).toHaveText(first)
  await expect(async () => {
    await page.clock.runFor(60_000)
    await expect(left).not.toHaveText(first, { timeout: 500 })
  }).toPass()

  seenByTheGateway(shop, number)
  await expect(async () => {
    await page.clock.runFor(15_000)
    await expect(page.locator("main [aria-live] h1")).toHaveText(enEn.waiting.headingSeen, { timeout: 500 })
  }).toPass()
})

test(
  "a live region that was there before says what has been done, and says it again",
  deep,
  async ({ page }) => {
    await buyForPage(page, shop)
    await scriptRuns(page)
    const region = page.locator("main").getByRole("status").first()
    await expect(region).toBeEmpty()
    const first = await region.elementHandle()
    const restart = page.locator('button[value="restart"]')
    await press(page, restart)
    await expect(region).toHaveText(screenTexts.done.restart)
    await expect(page.locator("main .notice")).toBeInViewport()
    expect(await region.evaluate((now, before) => now === before, first)).toBe(true)
    const text = await page.locator("main .notice").elementHandle()
    await restart.press("Enter")
    await expect.poll(() => text?.evaluate((it) => it.isConnected)).toBe(false)
    await expect(region).toHaveText(screenTexts.done.restart)
    await expect(restart).toBeFocused()
  },
)

test("the slider and the number field change the same quantity by keyboard", deep, async ({ page }) => {
  await buyForPage(page, shop)
  await scriptRuns(page)
  await unfold(page, "[name=quantity]")
  const [slider, number] = [page.locator('.upsell input[type="range"]'), page.locator("[name=quantity]")]
  await tabTo(page, slider)
  await page.keyboard.press("ArrowRight")
  await expect(number).toHaveValue("2")
  await page.keyboard.press("Tab")
  await expect(number).toBeFocused()
  await page.keyboard.press("ArrowUp")
  await expect(slider).toHaveValue("3")
  await expect(page.locator(".upsell output")).toHaveText("€59.70")
})

test("selected and focused options are distinguishable with forced colours", deep, async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" })
  await page.goto(`${shop.url}/checkout/`)
  await expect.poll(() => hasLaterStyle(page)).toBe(true)
  const width = (which: string) =>
    page
      .locator(`.plan:${which}`)
      .first()
      .evaluate((card) => getComputedStyle(card).borderTopWidth)
  expect(await width("has(:checked)")).toBe("3px")
  expect(await width("not(:has(:checked))")).toBe("1px")
  await tabTo(page, page.locator('input[name="extraConnection"]'))
  await tabTo(page, page.locator('input[name="gateway"]'))
})

test(
  "forced colours draw the arrow of the language menu in the colour of text, whichever colours the visitor has",
  deep,
  async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active" })
    await page.goto(`${shop.url}/checkout/`)
    await expect.poll(() => hasLaterStyle(page)).toBe(true)
    const summary = page.locator(".languages summary")
    const [arrow, text] = await summary.evaluate((it) => {
      const probe = document.body.appendChild(document.createElement("i"))
      probe.style.color = "CanvasText"
      return [getComputedStyle(it, "::after").borderTopColor, getComputedStyle(probe).color]
    })
    expect(arrow).toBe(text)
  },
)

test("forced colours keep the main button the only filled one", deep, async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" })
  await orderForPage(page, shop)
  await page.goto(`${shop.url}/checkout/waiting`)
  await expect.poll(() => hasLaterStyle(page)).toBe(true)
  const ground = (which: string) => page.locator(which).evaluate((it) => getComputedStyle(it).backgroundColor)
  expect(await ground(".pay-card .button:not(.main)")).toBe(await ground(".pay-card"))
  expect(await ground(".pay-card .main")).not.toBe(await ground(".pay-card"))
})

test(
  "forced colours show the chosen currency and device, and how far an order is",
  deep,
  async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active" })
    await page.goto(`${shop.url}/checkout/`)
    await expect.poll(() => hasLaterStyle(page)).toBe(true)
    const [chosen, other] = ['[aria-pressed="true"]', '[aria-pressed="false"]']
    expect(await borderOf(page.locator(`.currencies ${chosen}`))).not.toBe(
      await borderOf(page.locator(`.currencies ${other}`)),
    )
    const payment = await orderForPage(page, shop)
    await page.goto(`${shop.url}/checkout/waiting`)
    const { width, channels, data, height } = decode(await page.locator("progress").screenshot())
    const row = width * Math.floor(height / 2)
    const pixel = (x: number) => data.slice((row + x) * channels, (row + x + 1) * channels).join()
    // A third of the way, within a frame.
    expect(pixel(Math.floor(width / 4))).not.toBe(pixel(Math.floor(width / 2)))
    expect(pixel(0)).not.toBe(pixel(Math.floor(width / 2)))

    await page.goto(payment)
    await payAndSeeAccess(page)
    expect(await borderOf(page.locator(".tabs label:has(:checked)"))).not.toBe(
      await borderOf(page.locator(".tabs label:not(:has(:checked))")),
    )
  },
)

/** As used: forced colours replace those of the style sheet. */
function borderOf(element: Locator): Promise<string> {
  return element.first().evaluate((it) => {
    const { borderTopWidth, borderTopColor } = getComputedStyle(it)
    return `${borderTopWidth} ${borderTopColor}`
  })
}

test("prefers-reduced-motion disables all transitions and animations", deep, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" })
  await page.goto(`${shop.url}/checkout/`)
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll("*")].filter((it) => {
        const { transitionDuration, animationName } = getComputedStyle(it)
        return transitionDuration !== "0s" || animationName !== "none"
      }).length,
  )
  expect(moving).toBe(0)
})

/** Safari focuses text fields alone when they are pressed. */
function focusesNoButtons(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    addEventListener("mousedown", (event) => {
      if (!(event.target instanceof Element) || event.target.closest("input, summary")) return
      event.preventDefault()
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    })
  })
}
