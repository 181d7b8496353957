import { RouterContextProvider } from "react-router"
import { afterEach, beforeEach, expect, test } from "vitest"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { openPayment } from "~/flows/payments/open-payment.server"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { renewServices } from "~/flows/services/renew-services.server"
import { buy, buyPlan, orderConnection, pay } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { paymentsOfService } from "./payments-view.server"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

/** The payments of a service, with the receipt of the last one. */
async function paymentsOf(serviceId: string) {
  const context = new RouterContextProvider()
  context.set(servicesContext, shop.services)
  context.set(localeContext, defaultLocale)
  const service = await shop.services.billing.service(serviceId)
  if (!service) throw new Error(`There is no service ${serviceId}`)
  return paymentsOfService(context, { service, services: [service], receipt: null })
}

/** The receipt of the last order of a service. */
const receiptOf = async (serviceId: string) => (await paymentsOf(serviceId))?.receipt

const creditOnReceipt = async (serviceId: string) => (await receiptOf(serviceId))?.credit

test.each([
  ["nothing more", 0],
  ["less than the credit more", 4_00],
  ["more than the credit more", 20_00],
])("a receipt names the credit that was used, when the buyer has paid %s than was due", async (_, more) => {
  const overpaid = await buyPlan(shop, {}, TOTAL + 10_00)
  expect(await creditOnReceipt(overpaid.serviceId)).toBeNull()
  const { order } = await buy(shop, { key: "draft-2", orderId: overpaid.id })
  await pay(shop, order, TOTAL - 10_00 + more)
  expect(await creditOnReceipt(order.serviceId)).toEqual(money(10_00, "EUR"))
})

test("a receipt names what has gone back of an order that was marked as paid, as money or as account credit", async () => {
  const { order } = await buy(shop)
  const { billing, operator } = shop.billing
  await billing.applyOrderEvent(order.id, "paid", shop.services.now(), "operator: by bank")
  shop.wait(1)
  const refund = (key: string, minor: number, toCredit: boolean) =>
    operator.recordRefund(order.id, {
      key,
      amount: money(minor, "EUR"),
      reason: "asked",
      at: shop.services.now(),
      toCredit,
    })
  expect((await receiptOf(order.serviceId))?.refund).toBeNull()
  await refund("r1", 3_00, false)
  expect((await receiptOf(order.serviceId))?.refund).toEqual(money(3_00, "EUR"))
  await refund("r2", 4_00, true)
  expect((await receiptOf(order.serviceId))?.refund).toEqual(money(7_00, "EUR"))
})

test("a receipt names account credit that has paid, and what of it was given back", async () => {
  const overpaid = await buyPlan(shop, {}, TOTAL + TOTAL)
  const { order } = await buy(shop, { key: "draft-2", orderId: overpaid.id })
  expect(order.status).toBe("paid")
  const refund = { amount: money(5_00, "EUR"), reason: "asked", at: shop.services.now(), toCredit: true }
  await shop.billing.operator.recordRefund(order.id, { ...refund, key: "r1" })
  const receipt = await receiptOf(order.serviceId)
  expect([receipt?.credit, receipt?.refund]).toEqual([order.total, money(5_00, "EUR")])
})

test("a receipt names no refund of a second payment that its gateway took back, of an order that was marked as paid", async () => {
  const { order } = await buy(shop)
  await shop.billing.billing.applyOrderEvent(order.id, "paid", shop.services.now(), "operator: by bank")
  await pay(shop, order)
  expect(await shop.services.payments.accountCredit(order.customerId, "EUR")).toEqual(order.total)
  await chargeBack(order)
  expect(await shop.services.payments.accountCredit(order.customerId, "EUR")).toEqual(money(0, "EUR"))
  expect((await receiptOf(order.serviceId))?.refund).toBeNull()
  shop.wait(1)
  const refund = { key: "r1", amount: money(3_00, "EUR"), reason: "asked", at: shop.services.now() }
  await shop.billing.operator.recordRefund(order.id, refund)
  expect((await receiptOf(order.serviceId))?.refund).toEqual(money(3_00, "EUR"))
})

/** Orders another term of a service and opens its payment. */
async function orderRenewal({ serviceId }: Order): Promise<Order> {
  const service = await shop.services.billing.service(serviceId)
  if (!service) throw new Error(`There is no service ${serviceId}`)
  const placement = await renewServices(shop.services, {
    renewed: [{ service, cycles: 1, shown: null }],
    customer: null,
    orderId: null,
    key: "renew",
    gateway: "offshore",
    locale: "en-en",
    address: null,
    country: "XX",
    browser: null,
  })
  if (placement.kind !== "placed") throw new Error(`The renewal was not placed: ${placement.kind}`)
  await openPayment(shop.services, placement.order, { gateway: "offshore", coin: null })
  return placement.order
}

/** The gateway has received so much of an order's total. */
async function payPart(order: Order, minor: number): Promise<void> {
  shop.gateway.reports("partially-paid", minor)
  shop.wait(3 * SECOND)
  await pollOrderPayment(shop.services, order.id)
}

/** The days of a service's payments, and that of the receipt of the last one. */
async function daysOf(serviceId: string) {
  const { rows = [], receipt } = (await paymentsOf(serviceId)) ?? {}
  return {
    rows: rows.map(({ day }) => day.replaceAll("\u00a0", " ")),
    receipt: receipt?.day.replaceAll("\u00a0", " "),
  }
}

test("a payment has the day on which it was paid, not that of its order", async () => {
  const { order } = await buy(shop)
  shop.wait(14 * HOUR)
  await pay(shop, order)
  const day = "21 November 2026"
  expect(await daysOf(order.serviceId)).toEqual({ rows: [day], receipt: day })
})

test("a payment in parts on several days names each day with what was paid on it", async () => {
  const { order } = await buy(shop)
  await payPart(order, 40_00)
  await payPart(order, 50_00)
  shop.wait(14 * HOUR)
  await pay(shop, order)
  const days = "€50.00 on 20 November 2026, €48.90 on 21 November 2026"
  expect(await daysOf(order.serviceId)).toEqual({ rows: [days], receipt: days })
})

test("a part that was followed by a payment elsewhere has only the day on which the operator marked the order as paid", async () => {
  const { order } = await buy(shop)
  await payPart(order, 40_00)
  shop.wait(14 * HOUR)
  await shop.billing.billing.applyOrderEvent(order.id, "paid", shop.services.now(), "operator: by bank")
  expect((await daysOf(order.serviceId)).rows).toEqual(["21 November 2026"])
})

test("of two orders the one that was paid last comes first, whichever was placed first", async () => {
  const bought = await buyPlan(shop)
  shop.wait(MINUTE)
  const early = await orderConnection(shop, bought.serviceId, { key: "early" })
  shop.wait(MINUTE)
  const late = await orderConnection(shop, bought.serviceId, { key: "late", quantity: 2 })
  await pay(shop, late)
  shop.wait(MINUTE)
  await pay(shop, early)
  expect((await paymentsOf(bought.serviceId))?.rows.map(({ id }) => id)).toEqual([
    early.id,
    late.id,
    bought.id,
  ])
})

test("a payment that became account credit says so, in the list and on its receipt", async () => {
  const bought = await buyPlan(shop)
  const renewal = await orderRenewal(bought)
  expect((await paymentsOf(bought.serviceId))?.rows.map(({ notes }) => notes)).toEqual([""])
  const at = shop.services.now()
  await shop.billing.operator.terminateService(bought.serviceId, { owner: "operator", reason: "asked", at })
  await pay(shop, renewal)
  const { rows = [], receipt } = (await paymentsOf(bought.serviceId)) ?? {}
  expect(rows.map(({ id, notes }) => [id, notes])).toEqual([
    [renewal.id, "Now account credit: €98.90"],
    [bought.id, ""],
  ])
  expect([receipt?.orderId, receipt?.credited]).toEqual([renewal.id, renewal.total])
})

/** The gateway reports that the payment of an order went back. */
async function chargeBack({ id, total }: Order) {
  const details = await shop.billing.operator.order(id)
  const attempt = details?.attempts[0]
  if (!attempt) throw new Error(`Order ${id} has no payment`)
  const update = { eventKey: "charged-back", attemptId: attempt.id, status: "refunded" } as const
  await shop.services.payments.recordPaymentUpdate(
    attempt.gateway,
    { ...update, received: total, refunded: total, transactionId: null },
    shop.services.now(),
  )
}
