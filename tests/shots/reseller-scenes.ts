import { expect } from "playwright/test"
import { payOn } from "../screens"
import { at, open, PASSWORD, pressMain, type Tour } from "./tour"

/** The resellers' way through. */
export async function resellerScenes(tour: Tour): Promise<void> {
  const page = await open(tour, "/resellers")
  await tour.take(page, "resellers-new")
  await page.locator("#email").fill(tour.email())
  await page.locator("#newPassword").fill(PASSWORD)
  await page.locator("#confirmPassword").fill(`${PASSWORD}!`)
  await pressMain(page)
  await expect(page.locator("#confirmPassword-problem")).toBeVisible()
  await tour.take(page, "resellers-refused")
  await page.locator("#newPassword").fill(PASSWORD)
  await page.locator("#confirmPassword").fill(PASSWORD)
  await payOn(page, tour.shop)
  const payment = page.url()
  await page.goto(at(tour, "/resellers/waiting"))
  await tour.take(page, "resellers-waiting")
  await page.goto(payment)
  await page.locator('button[value="paid"]').click()
  await expect(page.getByText(/^TV[0-9A-Z]{8}$/).first()).toBeVisible({ timeout: 20_000 })
  await page.locator("#notes").fill("Leo, living room")
  await page.locator("#line button.main").click()
  await expect(page.locator(".told")).toBeVisible()
  await tour.take(page, "resellers-success")
  await page.locator('a[href*="/upsell"]').click()
  await page.waitForURL(/\/upsell/)
  await tour.take(page, "upsell")
  await page.goto(at(tour, "/success"))
  await tour.take(page, "services")
  const known = await open(tour, "/resellers")
  await known.locator('input[name="existing"][value="yes"]').check({ force: true })
  await tour.take(known, "resellers-existing")
}
