import { orderOn, scriptRuns, signInByPassword, typePromoCode } from "../support/browser/page-actions"
import { at, expect, open, pressMain, type Tour } from "./scene-context"

/** Screens before the gateway. */
export async function checkoutScenes(tour: Tour): Promise<void> {
  await choosing(tour)
  await refused(tour)
  await reviewing(tour)
  await signingIn(tour)
  await lost(tour)
}

async function choosing(tour: Tour) {
  const page = await open(tour, "/")
  await tour.take(page, "checkout-empty")
  await tour.glance(page, "checkout-glance")
  await page.locator('input[name="plan"][value="2"]').check({ force: true })
  await page.locator('input[name="extraConnection"]').check({ force: true })
  await page.locator("[name=email]").fill("ana@example.test")
  await page.locator('input[name="gateway"]').nth(1).check({ force: true })
  await tour.take(page, "checkout-chosen")
  await typePromoCode(page, "WELCOME10")
  await page.locator('button[value="apply-promo"]').click()
  await expect(page.locator(".applied")).toBeVisible()
  await tour.take(page, "checkout-code")
  await page.locator('input[name="gateway"][value="cryptomusgateway"]').check({ force: true })
  await tour.take(page, "checkout-coins")
  await page.locator(".languages summary").click()
  await tour.take(page, "checkout-languages")
  const plain = await open(tour, "/")
  await typePromoCode(plain, "NOSUCHCODE")
  await plain.locator('button[value="apply-promo"]').click()
  await expect(plain.locator("#order-promoCode-error")).toBeVisible()
  await tour.take(plain, "checkout-code-refused")
}

async function refused(tour: Tour) {
  const page = await open(tour, "/")
  // Before, the browser itself refuses the address, in a bubble that no picture shows.
  await scriptRuns(page)
  await page.locator("[name=email]").fill("ana@@example")
  await pressMain(page)
  await expect(page.locator("#order-email-error")).toBeVisible()
  await tour.take(page, "checkout-refused")
}

/** Without script, the review step is a page of its own. */
async function reviewing(tour: Tour) {
  const page = await tour.visitor({ script: false })
  await page.goto(at(tour, "/"))
  await tour.take(page, "checkout-without-script")
  await page.locator('input[name="extraConnection"]').check({ force: true })
  await page.locator("[name=email]").fill("ana@example.test")
  await pressMain(page)
  await expect(page.locator('input[name="draft"]')).toHaveCount(1)
  await tour.take(page, "review")
  const pay = await tour.visitor()
  await orderOn(pay, tour.shop, { email: tour.email(), prefix: tour.prefix })
  await tour.take(pay, "sandbox-pay")
}

async function signingIn(tour: Tour) {
  const page = await open(tour, "/?signin")
  await tour.take(page, "sign-in")
  const email = tour.email()
  const tried = async () => {
    const response = page.waitForResponse((it) => it.request().method() === "POST")
    await signInByPassword(page, { email, password: "wrong horse" })
    return (await response).status()
  }
  await tried()
  await expect(page.getByRole("alert").first()).toBeVisible()
  await tour.take(page, "sign-in-wrong")
  await expect.poll(tried, { intervals: [10], timeout: 60_000 }).toBe(429)
  await page.waitForLoadState()
  await tour.take(page, "sign-in-too-many")
}

async function lost(tour: Tour) {
  await tour.take(await open(tour, "/no-such-page"), "not-found")
}
