import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { signInByPassword } from "../support/browser/page-actions"
import { runServerCommand } from "../support/server/run-server-command"
import { at, expect, open, pressMain, type Tour } from "./scene-context"

/** Client address from which the shop accepts no orders. */
export const BLOCKED = "203.0.113.5"

/** An order that fails the fraud check. */
export async function fraudScene(tour: Tour): Promise<void> {
  const page = await tour.visitor({ address: BLOCKED })
  await page.goto(at(tour, "/"))
  await page.locator("[name=email]").fill(tour.email())
  await pressMain(page)
  await expect(page.locator(".reference code")).toBeVisible()
  await tour.take(page, "fraud")
}

/** A price changes between selection and payment. */
export async function priceScene(tour: Tour): Promise<void> {
  const file = join(tour.shop.dataDir, "prices.json")
  const admin = (...args: string[]) => runServerCommand(["admin", ...args], { DATA_DIR: tour.shop.dataDir })
  const page = await open(tour, "/")
  const plans = await page.locator(".plans").innerText()
  await page.locator("[name=email]").fill(tour.email())
  await admin("catalogue", "export", file)
  const before = readFileSync(file, "utf8")
  writeFileSync(file, before.replace('"79.00"', '"99.00"'))
  await admin("catalogue", "import", file)
  await pressMain(page)
  await expect(page.getByRole("alert")).toBeVisible()
  await tour.take(page, "review-price-changed")
  writeFileSync(file, before)
  await admin("catalogue", "import", file)
  // The shop sees the change at its next reload; an order before it would be asked about the price again.
  await expect(async () => {
    await page.goto(at(tour, "/"))
    expect(await page.locator(".plans").innerText()).toBe(plans)
  }).toPass({ timeout: 30_000 })
}

/** The gateway does not respond. */
export async function gatewayScene(tour: Tour): Promise<void> {
  const page = await open(tour, "/")
  await page.locator("[name=email]").fill(tour.email())
  await pressMain(page)
  await expect(page.getByRole("alert")).toBeVisible()
  await tour.take(page, "review-not-opened")
}

/** External billing does not respond. `set` switches it off and on. */
export async function billingScenes(tour: Tour, set: (down: boolean) => void): Promise<void> {
  const page = await open(tour, "/")
  await page.locator("[name=email]").fill(tour.email())
  set(true)
  await pressMain(page)
  await expect(async () => {
    await page.goto(at(tour, "/"))
    await expect(page.locator(".warning").first()).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 20_000 })
  await tour.take(page, "checkout-paused")
  const failing = await open(tour, "/success?signin")
  await signInByPassword(failing, { email: tour.email(), password: "any horse" })
  await expect(failing.locator('main input[name="password"]')).toHaveCount(0)
  await tour.take(failing, "error")
  set(false)
}
