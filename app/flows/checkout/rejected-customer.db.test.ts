import { expect, test } from "vitest"
import { BillingError, CustomerRejectedError, PromotionRefusedError } from "~/billing/billing"
import type { PurchaseTransaction } from "~/billing/orders/purchase-transaction"
import { choice, openTestShop, pricing, TOTAL } from "../../../tests/fixtures/test-shop"
import { placeAutoOrder } from "./place-auto-order.server"
import { placeOrder } from "./place-order.server"

const request = {
  choices: choice,
  customer: null,
  key: "k",
  orderId: null,
  agreedTotal: TOTAL,
  pricing,
  locale: "en-en" as const,
  address: null,
  browser: null,
  affiliateId: null,
}

/** Opens a shop whose billing backend answers every identification with this. */
async function shopThatIdentifies(identify: () => Promise<{ customerId: string; requiredCurrency: "USD" }>) {
  const { services, log } = await openTestShop()
  const purchase: PurchaseTransaction = (work) => services.purchase((ports) => work({ ...ports, identify }))
  return { log, services: { ...services, purchase } }
}

const rejects = async () => {
  throw new CustomerRejectedError("Cannot place order: WHMCS client 7 is closed")
}

test("placeOrder returns customer-rejected, logs the reason and places nothing", async () => {
  const { services, log } = await shopThatIdentifies(rejects)
  expect(await placeOrder(services, request)).toEqual({ kind: "customer-rejected" })
  expect(await services.billing.orderByIdempotencyKey("k")).toBeNull()
  expect(log).toMatchObject([{ err: { message: "Cannot place order: WHMCS client 7 is closed" } }])
})

test("placeOrder rejects a customer who can pay only in a currency without a price for the plan", async () => {
  const { services, log } = await shopThatIdentifies(async () => ({
    customerId: "7",
    requiredCurrency: "USD",
  }))
  const onlyEuros = async () =>
    (await services.catalogue.plans()).map((plan) => ({ ...plan, pricing: { EUR: plan.pricing.EUR } }))
  const billing = { ...services.billing, plans: onlyEuros }
  expect(await placeOrder({ ...services, billing }, request)).toEqual({ kind: "customer-rejected" })
  expect(await billing.orderByIdempotencyKey("k")).toBeNull()
  expect(log).toMatchObject([{ currency: "USD", plan: "3" }])
})

/** Opens a shop whose billing backend takes no order. */
async function shopThatRefuses(error: BillingError) {
  const { services, log } = await openTestShop()
  const placeOrder = async () => Promise.reject(error)
  const purchase: PurchaseTransaction = (work) => services.purchase((ports) => work({ ...ports, placeOrder }))
  return { log, services: { ...services, purchase } }
}

test("placeOrder returns order-refused for an order that billing does not take, and logs the reason", async () => {
  const { services, log } = await shopThatRefuses(new BillingError("refused", "not-available: no module"))
  expect(await placeOrder(services, request)).toEqual({ kind: "order-refused" })
  expect(log).toMatchObject([{ err: { message: "not-available: no module" } }])
})

test("placeOrder returns price-changed if billing refuses an order because its price has just changed", async () => {
  const { services } = await shopThatRefuses(new BillingError("refused", "price-changed"))
  let reads = 0
  async function plans() {
    const list = await services.billing.plans()
    if (reads++ === 0) return list
    return list.map((plan) => ({ ...plan, pricing: { EUR: { annually: 99_00 } } }))
  }
  const placement = await placeOrder({ ...services, billing: { ...services.billing, plans } }, request)
  expect(placement).toMatchObject({ kind: "price-changed", quote: { total: { minor: 118_90 } } })
})

test("placeOrder names the payment method if billing takes it no more since the checkout was shown", async () => {
  const { services } = await shopThatRefuses(new BillingError("refused", "Invalid Payment Method"))
  let isOld = true
  const gateways = async () => (isOld ? services.enabledGateways : ["coinbase"])
  const expire = () => {
    isOld = false
  }
  const catalogue = { ...services.catalogue, gateways, expire }
  expect(await placeOrder({ ...services, catalogue }, request)).toEqual({
    kind: "rejected",
    field: "gateway",
    reason: "checkout.gateway.gone",
  })
})

test("placeOrder rethrows a failure of billing", async () => {
  const { services } = await shopThatRefuses(new BillingError("unreadable", "a page"))
  await expect(placeOrder(services, request)).rejects.toThrow("a page")
})

test("placeAutoOrder stops for a customer who cannot order", async () => {
  const { services } = await shopThatIdentifies(rejects)
  const link = { email: choice.email, pid: "3" } as Parameters<typeof placeAutoOrder>[1]["link"]
  const order = { ...request, link, country: "XX" as const, sessionId: null }
  expect(await placeAutoOrder(services, order)).toEqual({ kind: "stopped" })
})

test.each([
  ["used-by-person", "code-used"],
  ["by-billing", "code-refused"],
] as const)(
  "placeOrder asks about the price without a code that billing refuses as %s, although it looks valid",
  async (reason, kind) => {
    const { services } = await shopThatRefuses(new PromotionRefusedError(reason, "WELCOME10"))
    const choices = { ...choice, promoCode: "WELCOME10" }
    const placement = await placeOrder(services, { ...request, choices, agreedTotal: TOTAL - 989 })
    expect(placement).toMatchObject({ kind, quote: { total: { minor: TOTAL } } })
  },
)
