import { expect, test } from "vitest"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { recreateService } from "~/flows/services/change-service.server"
import { buy, buyPlan } from "../../../tests/fixtures/purchase"
import { NOON, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { runJobs } from "./run-jobs.server"

/** The purchased plan is for 12 months; the payment is booked three seconds after the order. */
const PAID_AT = NOON + 3 * SECOND
const A_YEAR_LATER = Date.UTC(2027, 10, 20, 12, 0, 3)

async function paid(shop: TestShop): Promise<Order> {
  const { order } = await buy(shop)
  shop.gateway.reports("paid", TOTAL)
  shop.wait(3 * SECOND)
  await getOrderProgress(shop.services, order.id)
  return order
}

const serviceOf = (shop: TestShop, { serviceId }: Order) => shop.services.billing.service(serviceId)

test("the paid time begins with the payment, and the panel is told its end", async () => {
  const shop = await openTestShop()
  const order = await paid(shop)
  expect(await serviceOf(shop, order)).toMatchObject({
    status: "Pending",
    paidUntil: A_YEAR_LATER,
    term: { anchor: PAID_AT, zone: "Europe/Madrid", count: 1, extraDays: 0 },
  })
  await runJobs(shop.services)
  expect(shop.panel.received).toMatchObject([
    { what: "create", line: { productId: "3", cycle: "annually", paidUntil: A_YEAR_LATER } },
  ])
  expect(await serviceOf(shop, order)).toMatchObject({ status: "Active", paidUntil: A_YEAR_LATER })
})

test("an unpaid order has no end", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  expect(await serviceOf(shop, order)).toMatchObject({ paidUntil: null, term: null })
})

test("the paid time of a service that the panel was down for begins with its activation", async () => {
  const shop = await openTestShop()
  shop.panel.broken = true
  const order = await paid(shop)
  await runJobs(shop.services)
  shop.panel.broken = false
  shop.wait(2 * HOUR)
  await runJobs(shop.services)
  expect(await serviceOf(shop, order)).toMatchObject({
    status: "Active",
    paidUntil: A_YEAR_LATER + 2 * HOUR,
    term: { anchor: PAID_AT + 2 * HOUR, count: 1 },
  })
  await runJobs(shop.services, "terms")
  expect(shop.panel.received.at(-1)).toMatchObject({
    what: "extend",
    line: { paidUntil: A_YEAR_LATER + 2 * HOUR },
  })
})

test("a short delay at the panel does not move the paid time", async () => {
  const shop = await openTestShop()
  shop.panel.broken = true
  const order = await paid(shop)
  await runJobs(shop.services)
  shop.panel.broken = false
  shop.wait(5 * MINUTE)
  await runJobs(shop.services)
  expect(await serviceOf(shop, order)).toMatchObject({ status: "Active", paidUntil: A_YEAR_LATER })
})

test("new login details do not change the paid time", async () => {
  const shop = await openTestShop()
  const order = await buyPlan(shop)
  const bought = await serviceOf(shop, order)
  if (!bought) throw new Error("The service is missing")
  shop.wait(2 * HOUR)
  await recreateService(shop.services, bought)
  shop.wait(HOUR)
  await runJobs(shop.services)
  expect(await serviceOf(shop, order)).toMatchObject({ status: "Active", paidUntil: bought.paidUntil })
})
