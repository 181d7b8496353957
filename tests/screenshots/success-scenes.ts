import { buyOn, orderOn, scriptRuns, unfold } from "../support/browser/page-actions"
import { at, expect, type Tour } from "./scene-context"

/** A purchased service and its actions. */
export async function successScenes(tour: Tour): Promise<void> {
  const page = await tour.visitor()
  const email = tour.email()
  await buyOn(page, tour.shop, email, tour.prefix)
  await scriptRuns(page)
  await tour.take(page, "success-active")
  await page.locator(".credential summary").first().click()
  await tour.take(page, "success-shown")
  await (await unfold(page, "[name=deviceAddress]")).fill("not a device")
  await page.locator('button[value="device"]').click()
  await expect(page.getByRole("alert").first()).toBeVisible()
  await tour.take(page, "success-device-refused")
  await (await unfold(page, "[name=deviceAddress]")).fill("00:1A:79:AB:CD:EF")
  await page.locator('button[value="device"]').click()
  await page.waitForURL(/done=device/)
  await tour.take(page, "success-device-saved")
  await page.locator('a[href*="recreate"]').click()
  await expect(page.locator('button[value="recreate"]')).toBeVisible()
  await tour.take(page, "success-recreate")
  await page.goto(at(tour, "/success?renew#renewal"))
  await scriptRuns(page)
  await tour.take(page, "success-renew")
  await page.goto(at(tour, "/success?plan"))
  await tour.take(page, "success-plan")
  await page.locator(".plan-choices a").last().click()
  await tour.take(page, "success-plan-chosen")
  await page.goto(at(tour, "/success"))
  await page.emulateMedia({ media: "print" })
  await tour.take(page, "success-printed")
}

/** A paid order while the operator's panel is down. */
export async function pendingScenes(tour: Tour): Promise<void> {
  const page = await tour.visitor()
  await orderOn(page, tour.shop, { email: tour.email(), prefix: tour.prefix })
  await page.locator('button[value="paid"]').click()
  await page.waitForURL(/\/success$/)
  await tour.take(page, "success-pending")
  const pending = await page.locator("main").innerText()
  await expect(page.locator("main")).not.toHaveText(pending, { useInnerText: true })
  await tour.take(page, "success-delayed")
}
