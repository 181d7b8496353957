import type { Page } from "playwright"
import { orderNumberOn, orderOn } from "../support/browser/page-actions"
import { at, expect, inDatabase, payWith, type Tour } from "./scene-context"

/** Screens between the gateway and the credentials. */
export async function waitingScenes(tour: Tour): Promise<void> {
  await fresh(tour)
  await seen(tour)
  await paidInPart(tour)
  await failed(tour)
  await inACoin(tour)
  await expired(tour)
}

/** Returns from the gateway without a payment. */
async function waiting(tour: Tour): Promise<Page> {
  const page = await tour.visitor()
  await orderOn(page, tour.shop, { email: tour.email(), prefix: tour.prefix })
  await page.goto(at(tour, "/waiting"))
  return page
}

async function fresh(tour: Tour) {
  const page = await waiting(tour)
  await tour.take(page, "waiting-fresh")
  for (const state of ["paid", "gateway", "edit", "abort"]) {
    await page.goto(at(tour, `/waiting?${state}`))
    await tour.take(page, `waiting-${state}`)
  }
}

/** An unconfirmed payment takes minutes with a real gateway, so its update is written to the database. */
async function seen(tour: Tour) {
  const page = await waiting(tour)
  const order = await orderNumberOn(page)
  const now = Date.now()
  inDatabase(tour, (database) =>
    database
      .prepare("INSERT INTO order_events (order_id, position, kind, at) VALUES (?, 90, 'seen', ?)")
      .run(order, now),
  )
  await page.reload()
  await expect(page.locator("progress[value='2']")).toBeVisible()
  await tour.take(page, "waiting-seen")
}

async function paidInPart(tour: Tour) {
  const page = await tour.visitor()
  await orderOn(page, tour.shop, { email: tour.email(), prefix: tour.prefix })
  await payWith(page, "less", tour)
  await expect(page.locator("main")).toContainText(/63[.,]20/)
  await tour.take(page, "waiting-partly-paid")
}

async function failed(tour: Tour) {
  const page = await tour.visitor()
  await orderOn(page, tour.shop, { email: tour.email(), prefix: tour.prefix })
  await payWith(page, "failed", tour)
  await expect(page.locator('button[value="retry"]')).toBeVisible()
  await tour.take(page, "waiting-failed")
}

async function inACoin(tour: Tour) {
  const page = await tour.visitor()
  const coin = page.locator('input[name="coin-btcpay"][value="BTC/CHAIN"]')
  await expect(async () => {
    await page.goto(at(tour, "/"))
    await expect(coin).toHaveCount(1, { timeout: 200 })
  }).toPass()
  await page.locator("[name=email]").fill(tour.email())
  await page.locator("#order-gateway-btcpay").check({ force: true })
  await coin.check()
  await page.locator('button.main[value="pay"]:visible').first().click()
  await page.waitForURL(/\/waiting$/)
  await tour.take(page, "waiting-coin")
}

async function expired(tour: Tour) {
  const page = await waiting(tour)
  const order = await orderNumberOn(page)
  await tour.shop.kill9()
  inDatabase(tour, (database) => {
    database.exec("DELETE FROM leases")
    database.prepare("UPDATE orders SET deadline = placed_at WHERE id = ?").run(order)
  })
  await tour.shop.restart()
  await expect(async () => {
    await page.goto(at(tour, "/waiting"))
    await expect(page.locator('button[value="again"]')).toBeVisible({ timeout: 500 })
  }).toPass()
  await tour.take(page, "waiting-expired")
}
