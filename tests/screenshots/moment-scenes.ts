import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright"
import { buyOn, orderNumberOn, orderOn, scriptRuns } from "../support/browser/page-actions"
import { runServerCommand } from "../support/server/run-server-command"
import { at, expect, open, pressMain, type Tour } from "./scene-context"

/** Moments beside the usual way, each in its own browser. */
export async function momentScenes(tour: Tour): Promise<void> {
  await loading(tour)
  await offline(tour)
  await inAnotherBrowser(tour)
  await afterThePurchase(tour)
  await soldOut(tour)
}

/** The checkout whose script is still on its way, and the page that leads to the gateway. */
async function loading(tour: Tour) {
  const page = await tour.visitor()
  // Script never arrives, so that the pages stay as they are until then.
  await page.route(/\.js$/, () => {})
  await page.goto(at(tour, "/"), { waitUntil: "commit" })
  await page.locator("[name=email]").fill(tour.email())
  await page.route(/creatingOrder/, async (route) => {
    if (route.request().method() === "GET") await route.fallback()
  })
  await pressMain(page)
  await page.waitForURL(/creatingOrder/, { waitUntil: "commit" })
  await expect(page.locator("h1")).toBeVisible()
  await tour.takeMoving(page, "moment-loading")
}

async function offline(tour: Tour) {
  await tour.take(await open(tour, "/offline"), "moment-offline")
  const page = await open(tour, "/")
  await scriptRuns(page)
  await page.context().setOffline(true)
  await page.locator("[name=email]").fill(tour.email())
  await pressMain(page)
  await expect(page.getByRole("status").first()).toBeVisible()
  await tour.take(page, "moment-offline-checkout")
}

/** A wallet app returns to the phone's own browser, which has no session: the page asks before it opens the order. */
async function inAnotherBrowser(tour: Tour) {
  const inApp = await tour.visitor()
  await orderOn(inApp, tour.shop, { email: tour.email(), prefix: tour.prefix })
  const back = (await inApp.locator('a[href*="resume="]').first().getAttribute("href")) ?? ""
  const withoutCookies = await tour.visitor()
  await withoutCookies.context().route(/checkout/, async (route) => {
    const headers = await route.request().allHeaders()
    delete headers.cookie
    await route.continue({ headers })
  })
  await withoutCookies.goto(back)
  await tour.take(withoutCookies, "moment-without-cookies")
  const browser = await tour.visitor()
  await browser.goto(back)
  await expect(browser.locator("main code").first()).toBeVisible()
  await tour.take(browser, "moment-other-browser")
  await pressMain(browser)
  await browser.waitForURL(/\/waiting$/)
  await tour.take(browser, "moment-other-browser-opened")
}

async function afterThePurchase(tour: Tour) {
  const page = await tour.visitor()
  await buyOn(page, tour.shop, tour.email(), tour.prefix)
  const order = await orderNumberOn(page)
  await admin(tour, "services", "suspend", order, "--reason", "asked")
  await page.reload()
  await tour.take(page, "moment-suspended")
  const refunded = await tour.visitor()
  await buyOn(refunded, tour.shop, tour.email(), tour.prefix)
  const paidBack = ["--amount", "79.00", "--reason", "asked"]
  await admin(tour, "orders", "refund", await orderNumberOn(refunded), ...paidBack)
  await refunded.reload()
  await tour.take(refunded, "moment-refunded")
}

type Catalogue = { readonly plans: readonly { readonly pid: number | string }[] }

/** The chosen plan is no longer sold. */
async function soldOut(tour: Tour) {
  const file = join(tour.shop.dataDir, "stock.json")
  const page = await choose(tour)
  await admin(tour, "catalogue", "export", file)
  const whole = readFileSync(file, "utf8")
  const catalogue: Catalogue = JSON.parse(whole)
  const plans = catalogue.plans.filter(({ pid }) => String(pid) !== "2")
  const rest = { plans, resellerPlans: [], promotions: [] }
  writeFileSync(file, JSON.stringify(Object.assign({}, catalogue, rest)))
  await admin(tour, "catalogue", "import", file)
  await withoutPlan(tour, "2")
  await pressMain(page)
  await expect(page.getByRole("alert").first()).toBeVisible()
  await tour.take(page, "moment-out-of-stock")
  await tour.take(await open(tour, "/resellers"), "moment-empty-resellers")
  writeFileSync(file, whole)
  await admin(tour, "catalogue", "import", file)
}

/** Loads the checkout until it no longer offers the plan: a running shop reads its catalogue every two seconds. */
async function withoutPlan(tour: Tour, plan: string): Promise<void> {
  const page = await tour.visitor()
  await expect(async () => {
    await page.goto(at(tour, "/"))
    await expect(page.locator(`input[name="plan"][value="${plan}"]`)).toHaveCount(0, { timeout: 100 })
  }).toPass({ timeout: 30_000 })
}

/** A shop that has not read the catalogue of its billing system yet. */
export async function emptyScene(tour: Tour): Promise<void> {
  await tour.take(await open(tour, "/"), "moment-empty")
}

async function choose(tour: Tour): Promise<Page> {
  const page = await open(tour, "/")
  await page.locator('input[name="plan"][value="2"]').check({ force: true })
  await page.locator("[name=email]").fill(tour.email())
  return page
}

function admin({ shop }: Tour, ...args: string[]) {
  return runServerCommand(["admin", ...args], { DATA_DIR: shop.dataDir })
}
