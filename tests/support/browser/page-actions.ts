import { expect, type Locator, type Page } from "playwright/test"
import type { TestServer } from "../server/server-process"

/** A headless browser's user agent counts as a bot, which is never redirected. */
export const BROWSER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"

/** Waits for hydration: from then on, script validates forms, counts down and navigates without loading. */
export async function scriptRuns(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("h1") ?? {}).some((key) => key.startsWith("__reactProps")),
  )
}

/** Unfolds the field of the promo code and types a code. */
export async function typePromoCode(page: Page, code: string): Promise<void> {
  const field = await unfold(page, "[name=promoCode]")
  await field.fill(code)
}

/** A control that may be folded, unfolded. */
export async function unfold(page: Page, selector: string): Promise<Locator> {
  const control = page.locator(selector)
  await control.waitFor({ state: "attached" })
  // A fold may be in another one, which comes first.
  for (const fold of await page.locator(`details:has(${selector}) > summary`).all())
    if (!(await control.isVisible())) await fold.click()
  return control
}

/** The button that pays. */
export const payButton = (page: Page): Locator => page.locator('button.main[value="pay"]:visible').first()

/** Clicks "pay" and, without script, the button of the review step; ends on the gateway's page. */
export async function payOn(page: Page, shop: TestServer): Promise<void> {
  await payButton(page).click()
  await reachGateway(page, shop)
}

/** After "pay" was pressed: clicks the button of the review step without script; ends on the gateway's page. */
export async function reachGateway(page: Page, shop: TestServer): Promise<void> {
  const review = page.locator('form:has(input[name="draft"]) button')
  const gateway = (url: URL) => url.origin === shop.sandboxUrl
  await expect
    .poll(async () => gateway(new URL(page.url())) || (await review.isVisible()), {
      // As in the journeys: the screenshots run without their configuration.
      timeout: 15_000,
      intervals: [50],
    })
    .toBe(true)
  if (!gateway(new URL(page.url()))) await pressIfThere(review)
  // Script may have submitted the form too: after a double submission, the waiting page offers the link to the payment.
  const waiting = ({ pathname }: URL) => pathname.endsWith("/waiting")
  // Polls the URL, because one navigation aborts the other and `waitForNavigation` would fail.
  const leads = (to: (url: URL) => boolean) =>
    expect.poll(() => to(new URL(page.url())), { timeout: 15_000, intervals: [50] }).toBe(true)
  await leads((url) => gateway(url) || waiting(url))
  if (!gateway(new URL(page.url()))) await page.locator(`a[href^="${shop.sandboxUrl}"]`).first().click()
  await leads(gateway)
}

/**
 * Presses a button once if it is on the page now. Script may submit the form at any moment, and a click by Playwright would
 * wait for the button to come back, until its timeout.
 */
export async function pressIfThere(button: Locator): Promise<void> {
  const press = button.evaluateAll(([element]) => (element as HTMLElement | undefined)?.click())
  // The next page replaces the one that would answer.
  await press.catch(() => {})
}

/** Chooses a plan and goes to the gateway. */
export async function orderOn(
  page: Page,
  shop: TestServer,
  { email, prefix = "", plan = "3" }: { email: string; prefix?: string; plan?: string },
): Promise<void> {
  await page.goto(`${shop.url}/checkout${prefix || "/"}`)
  await page.locator(`input[name="plan"][value="${plan}"]`).check({ force: true })
  await page.locator("[name=email]").fill(email)
  await payOn(page, shop)
}

/** Pays on the sandbox's page and waits for the credentials; returns the username. */
export async function payAndSeeAccess(page: Page): Promise<string> {
  await page.locator('button[value="paid"]').click()
  return seeAccess(page)
}

/**
 * Waits for the credentials of a paid order; returns the username. A page polls every few seconds, and at once when its tab
 * is shown again, as here: `purchase.spec.ts` waits for the polls.
 */
export async function seeAccess(page: Page): Promise<string> {
  const username = page.getByText(/^TV[0-9A-Z]{8}$/).first()
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event("visibilitychange")))
    await expect(username).toBeVisible({ timeout: 250 })
  }).toPass({ timeout: 40_000 })
  await expect(page).toHaveURL(/\/checkout(\/\w\w-\w\w)?\/success$/)
  return (await username.innerText()).trim()
}

/** Buys and pays for a plan; returns the username. */
export async function buyOn(page: Page, shop: TestServer, email: string, prefix = ""): Promise<string> {
  await orderOn(page, shop, { email, prefix })
  return payAndSeeAccess(page)
}

/** Returns the order number that the page shows. */
export async function orderNumberOn(page: Page): Promise<string> {
  const text = await page.locator("main").innerText()
  const number = /\b[2-9A-HJKMNPQRSTW-Z]{10}\b/.exec(text.replace(/TV[0-9A-Z]{8}/g, ""))
  return number?.[0] ?? "no order number on the page"
}

/** The sign-in form with the password, opened: it is folded in a shop that sends mail. */
export async function openPasswordForm(page: Page): Promise<Locator> {
  const form = page.locator('form:has(button[value="sign-in"])')
  await form.waitFor({ state: "attached" })
  if (!(await form.isVisible())) await page.locator('details:has(button[value="sign-in"]) summary').click()
  return form
}

/** Signs in by password on the sign-in screen. */
export async function signInByPassword(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const form = await openPasswordForm(page)
  await form.locator("[name=email]").fill(email)
  await form.locator("[name=password]").fill(password)
  await form.locator('button[value="sign-in"]').click()
}
