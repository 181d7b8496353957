import { expect, type Page } from "playwright/test"
import type { TestServer } from "../server/server-process"

/** A headless browser says so, and is taken for a robot, whom no link leads anywhere. */
export const person =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"

/** Waits until script has taken the page over: from now on it judges forms, counts time and changes pages without loading. */
export async function scriptRuns(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("h1") ?? {}).some((key) => key.startsWith("__reactProps")),
  )
}

/** Presses "pay" and, without script, the button of the review step; ends on the gateway's page. */
export async function payOn(page: Page, shop: TestServer): Promise<void> {
  await page.locator('button.main[value="pay"]:visible').first().click()
  const review = page.locator('form:has(input[name="draft"]) button')
  const gateway = (url: URL) => url.origin === shop.sandboxUrl
  await expect.poll(async () => gateway(new URL(page.url())) || (await review.isVisible())).toBe(true)
  if (!gateway(new URL(page.url()))) await review.click().catch(() => {})
  // Script may have sent the form too: whoever presses twice waits for his payment, with the way to pay before him.
  const waiting = ({ pathname }: URL) => pathname.endsWith("/waiting")
  // Looked at again and again: the one navigation ends the other, which whoever waits for a navigation takes for a failure.
  const leads = (to: (url: URL) => boolean) =>
    expect.poll(() => to(new URL(page.url())), { timeout: 15_000 }).toBe(true)
  await leads((url) => gateway(url) || waiting(url))
  if (!gateway(new URL(page.url()))) await page.locator(`a[href^="${shop.sandboxUrl}"]`).first().click()
  await leads(gateway)
}

/** Chooses a plan and goes to the gateway. */
export async function orderOn(
  page: Page,
  shop: TestServer,
  { email, prefix = "", plan = "3" }: { email: string; prefix?: string; plan?: string },
): Promise<void> {
  await page.goto(`${shop.url}/checkout${prefix || "/"}`)
  await page.locator(`input[name="plan"][value="${plan}"]`).check({ force: true })
  await page.locator("#email").fill(email)
  await payOn(page, shop)
}

/** Pays on the sandbox's page and waits for the credentials; answers the username. */
export async function payAndSeeAccess(page: Page): Promise<string> {
  await page.locator('button[value="paid"]').click()
  return seeAccess(page)
}

/** Waits for the credentials of what has been paid; answers the username. */
export async function seeAccess(page: Page): Promise<string> {
  await expect(page).toHaveURL(/\/checkout(\/\w\w-\w\w)?\/success$/, { timeout: 20_000 })
  const username = page.getByText(/^TV[0-9A-Z]{8}$/).first()
  await expect(username).toBeVisible({ timeout: 20_000 })
  return (await username.innerText()).trim()
}

/** Buys and pays a plan; answers the username. */
export async function buyOn(page: Page, shop: TestServer, email: string, prefix = ""): Promise<string> {
  await orderOn(page, shop, { email, prefix })
  return payAndSeeAccess(page)
}

/** The order's number as the page shows it. */
export async function orderNumberOn(page: Page): Promise<string> {
  const text = await page.locator("main").innerText()
  const number = /\b[2-9A-HJKMNPQRSTW-Z]{10}\b/.exec(text.replace(/TV[0-9A-Z]{8}/g, ""))
  return number?.[0] ?? "no order number on the page"
}
