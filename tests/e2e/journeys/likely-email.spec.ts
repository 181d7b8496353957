import { expect } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT, scriptRuns } from "../../support/browser/page-actions"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const likelyIn = ({ checkout }: typeof enEn | typeof deDe, email: string) =>
  checkout.email.likely.replace("{{email}}", email)

test.describe("with JavaScript", () => {
  test.use({ userAgent: BROWSER_AGENT, locale: "de-DE" })

  test("a mistyped domain is asked about beside the field, and one press corrects it", async ({ page }) => {
    await page.goto(`${shop.url}/checkout/de-de`)
    await scriptRuns(page)
    const email = page.getByLabel(deDe.checkout.email.label, { exact: true })
    const offered = page.getByRole("button", { name: likelyIn(deDe, "ana.b+tv@gmail.com") })
    const told = page.waitForRequest(/purchase-step/)
    await email.fill("ana.b+tv@gmial.com")
    await email.blur()
    // The server gets the domain alone before the form is sent.
    expect((await told).postData()).not.toContain("ana")
    await offered.click()
    await expect(email).toHaveValue("ana.b+tv@gmail.com")
    await expect(email).toBeFocused()
    await expect(offered).toHaveCount(0)
  })

  test("who leaves the field by Tab is at the question next, and who has moved on is left there", async ({
    page,
  }) => {
    await page.goto(`${shop.url}/checkout/de-de`)
    await scriptRuns(page)
    const email = page.getByLabel(deDe.checkout.email.label, { exact: true })
    const offered = page.getByRole("button", { name: likelyIn(deDe, "ana@gmail.com") })
    await email.fill("ana@gmial.com")
    await email.press("Tab")
    await expect(offered).toBeFocused()
    await page.keyboard.press("Enter")
    await expect(email).toHaveValue("ana@gmail.com")
    await expect(email).toBeFocused()

    const { promise: movedOn, resolve: moveOn } = Promise.withResolvers<void>()
    await page.route("**/purchase-step", async (route) => {
      await movedOn
      await route.continue()
    })
    await email.fill("ana@gmial.com")
    await email.press("Tab")
    await page.keyboard.press("Tab")
    const next = await page.evaluateHandle(() => document.activeElement)
    moveOn()
    await expect(offered).toBeVisible()
    expect(await page.evaluate((it) => it === document.activeElement, next)).toBe(true)
  })

  test("the question goes once the domain is right, and nobody has to answer it", async ({ page }) => {
    await page.goto(`${shop.url}/checkout/de-de`)
    await scriptRuns(page)
    const email = page.getByLabel(deDe.checkout.email.label, { exact: true })
    await email.fill("ana@hotmial.com")
    await email.blur()
    await expect(page.getByRole("button", { name: likelyIn(deDe, "ana@hotmail.com") })).toBeVisible()
    await email.fill("ana@example.test")
    await email.blur()
    await expect(page.getByRole("button", { name: /ana@hotmail/ })).toHaveCount(0)
    await email.fill(`ana@${"a".repeat(20)}.gmial.com`)
    await email.blur()
    await email.fill("ana@gmial.com")
    await page.locator('button.main[value="pay"]:visible').first().click()
    await expect(page).not.toHaveURL(/checkout\/de-de\/?$/)
  })
})

test("without JavaScript the review asks, one press corrects the address, and the order is for it", async () => {
  const browser = new Browser()
  const unsure = await chooseAndPay(browser, { shop, email: "ana@gmial.com" })
  expect(unsure.text).toContain("ana@gmial.com")
  const sure = await unsure.submit({ button: { name: "intent", value: "email" } })
  expect(sure.text).toContain(enEn.review.email.replace("{{email}}", "ana@gmail.com"))
  expect(sure.text).not.toContain(likelyIn(enEn, "ana@gmail.com"))
  await goToGateway(sure)
  const waiting = await browser.visit(`${shop.url}/checkout/waiting`)
  expect(waiting.text).toContain("ana@gmail.com")
})

test("without JavaScript the mistyped address can be kept", async () => {
  const browser = new Browser()
  await goToGateway(await chooseAndPay(browser, { shop, email: "ana@gmial.com" }))
  expect((await browser.visit(`${shop.url}/checkout/waiting`)).text).toContain("ana@gmial.com")
})
