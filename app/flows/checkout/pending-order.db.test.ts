import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import type { OrderSync } from "~/billing/orders/order-sync"
import type { PurchaseTransaction } from "~/billing/orders/purchase-transaction"
import type { LoggedServices } from "~/context/services.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { request } from "../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { placeOrder } from "./place-order.server"
import { reviewOrder } from "./review-order.server"

const method = { gateway: "offshore", coin: null } as const

test("opens no payment for an order that the billing system has not confirmed", async () => {
  const { shop, order, services } = await pendingOrder()
  expect(await openPayment(services, order, method)).toEqual({ kind: "pending" })
  expect(shop.gateway.opened).toEqual([])
  expect(await shop.services.payments.latestAttempt(order.id)).toBeNull()
})

test("shows an unconfirmed order as pending, without any action", async () => {
  const { order, services, review } = await pendingOrder()
  expect(await review(services)).toEqual({
    kind: "pending",
    orderId: order.id,
    placedAt: order.placedAt,
  })
})

test("after confirmation the review step continues with the order's price and pays the same order", async () => {
  const { shop, order, review } = await pendingOrder()
  expect(await review(shop.services)).toMatchObject({
    kind: "review",
    error: null,
    orderId: order.id,
    quote: { total: order.total },
  })
  const again = await placeOrder(shop.services, request({ orderId: order.id }))
  expect(again).toMatchObject({ kind: "placed", order: { id: order.id } })
  expect(await openPayment(shop.services, order, method)).toMatchObject({ kind: "opened" })
  expect(await review(shop.services)).toMatchObject({ kind: "rejected" })
})

test("an order that the billing system refuses later opens no payment, and its reason is logged", async () => {
  const { shop, order } = await pendingOrder()
  const refusing = {
    ...pendingSync,
    async completeOrder() {
      await shop.services.billing.applyOrderEvent(order.id, "aborted", shop.services.now())
      throw new BillingError("refused", "not for sale any more")
    },
  }
  expect(await openPayment({ ...shop.services, orderSync: refusing }, order, method)).toEqual({
    kind: "nothing-to-pay",
  })
  expect(shop.log).toMatchObject([{ orderId: order.id, err: { message: "not for sale any more" } }])
  expect(shop.gateway.opened).toEqual([])
})

/** A shop with an order that external billing has not confirmed; `services`: while that lasts. */
async function pendingOrder() {
  const shop = await openTestShop()
  const purchase: PurchaseTransaction = (work) =>
    shop.services.purchase((ports) => work({ ...ports, findOrCreateAttempt: null }))
  const placement = await placeOrder({ ...shop.services, purchase }, request())
  if (placement.kind !== "placed") throw new Error(`The order was not placed: ${placement.kind}`)
  const { order } = placement
  const draft = {
    choices: choice,
    customer: null,
    orderId: order.id,
    agreedTotal: null,
    currency: "EUR" as const,
  }
  return {
    shop,
    order,
    services: withPending(shop),
    review: (services: LoggedServices) => reviewOrder(services, draft),
  }
}

function withPending({ services }: TestShop): LoggedServices {
  return { ...services, orderSync: pendingSync }
}

const pendingSync: OrderSync = {
  completeOrder: async () => null,
  isBeingPlaced: async () => true,
  reconcileExternalOrders: async () => [],
}

test("a pending order keeps the price that the buyer agreed to", async () => {
  const { order } = await pendingOrder()
  expect(order.total.minor).toBe(TOTAL)
})
