import { expect, test } from "vitest"
import { CustomerRejectedError } from "~/billing/billing"
import type { PurchaseTransaction } from "~/billing/purchase-transaction"
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

test("placeAutoOrder stops for a customer who cannot order", async () => {
  const { services } = await shopThatIdentifies(rejects)
  const link = { email: choice.email, pid: "3" } as Parameters<typeof placeAutoOrder>[1]["link"]
  const order = { ...request, link, country: "XX" as const, sessionId: null }
  expect(await placeAutoOrder(services, order)).toEqual({ kind: "stopped" })
})
