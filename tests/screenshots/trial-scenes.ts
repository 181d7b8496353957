import { signInLink } from "../fixtures/sign-in-link"
import { buyOn, scriptRuns, seeAccess } from "../support/browser/page-actions"
import { at, expect, pressMain, type Tour } from "./scene-context"

/** The free trial, what it leads to, and the pages of a signed-in customer who has bought too. */
export async function trialScenes(tour: Tour): Promise<void> {
  const page = await tour.visitor()
  const email = tour.email()
  await expect(async () => {
    await page.goto(at(tour, "/"))
    await expect(page.locator('main a[href$="/trial"]')).toBeVisible({ timeout: 500 })
  }).toPass()
  await tour.take(page, "trial-offered")
  await page.locator('main a[href$="/trial"]').click()
  await expect(page.locator("#trial-email")).toBeVisible()
  await tour.take(page, "trial")
  await page.locator("#trial-email").fill(email)
  await pressMain(page)
  await seeAccess(page)
  await scriptRuns(page)
  await tour.take(page, "trial-service")
  await page.goto(at(tour, "/trial"))
  await page.locator("#trial-email").fill(tour.email())
  await pressMain(page)
  await expect(page.getByRole("alert")).toBeVisible()
  await tour.take(page, "trial-refused")
  await buyOn(page, tour.shop, email, tour.prefix)
  await page.goto(signInLink(tour.shop, email))
  await page.goto(at(tour, "/success?services"))
  await expect(page.locator(".services li")).toHaveCount(2)
  await tour.take(page, "services-with-trial")
  await page.goto(at(tour, "/success?account"))
  await expect(page.locator(".services li")).toHaveCount(2)
  await tour.take(page, "account")
}
