import { declareAll, fromGermany } from "../fixtures/shop-with-law"
import { payAndSeeAccess, payOn, scriptRuns, unfold } from "../support/browser/page-actions"
import { at, expect, pressMain, type Tour } from "./scene-context"

/** What the law of a buyer's country adds: words, declarations and the withdrawal in two steps. */
export async function lawScenes(tour: Tour): Promise<void> {
  const page = await tour.visitor()
  const email = tour.email()
  await fromGermany(page)
  await page.goto(at(tour, "/"))
  await scriptRuns(page)
  await tour.take(page, "law-checkout")
  await page.locator("[name=email]").fill(email)
  await pressMain(page)
  await expect(page.locator("#order-consent-error")).toBeVisible()
  await tour.take(page, "law-undeclared")
  await declareAll(page)
  await payOn(page, tour.shop)
  await payAndSeeAccess(page)
  await unfold(page, "#renew-consent")
  await unfold(page, "#upsell-order-consent")
  await tour.take(page, "law-service")
  await page.locator('#receipt a[href*="withdraw"]').click()
  await expect(page.locator("main [name=email]")).toBeVisible()
  await tour.take(page, "withdrawal-asked")
  await page.locator("main [name=email]").fill(email)
  await page.locator("main form button").first().click()
  await expect(page.locator("main [name=email]:visible")).toHaveCount(0)
  await tour.take(page, "withdrawal-to-confirm")
  await page.locator("main form button").first().click()
  await expect(page.locator("main form")).toHaveCount(0)
  await tour.take(page, "withdrawal-received")
}
