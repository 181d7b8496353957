import { RouterContextProvider } from "react-router"
import { afterEach, beforeEach, expect, test } from "vitest"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money"
import type { Order } from "~/domain/order"
import { buy, buyPlan, pay } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { paymentsOfService } from "./payments-view.server"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

/** The receipt of the last order of a service. */
async function receiptOf(serviceId: string) {
  const context = new RouterContextProvider()
  context.set(servicesContext, shop.services)
  context.set(localeContext, defaultLocale)
  const service = await shop.services.billing.service(serviceId)
  if (!service) throw new Error(`There is no service ${serviceId}`)
  const payments = await paymentsOfService(context, { service, services: [service], receipt: null })
  return payments?.receipt
}

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
