import { afterEach, beforeEach, expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { pathOf } from "~/domain/orders/screen-paths"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { renewServices } from "~/flows/services/renew-services.server"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { sessionLeft } from "../../../tests/fixtures/session-harness"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let bought: Order
beforeEach(async () => {
  shop = await openTestShop()
  bought = await buyPlan(shop)
})
afterEach(() => shop.billing.close())

test("the service page announces a renewal that its customer has paid a part of in another browser, and leads to its rest", async () => {
  expect(await pageFor(signedIn())).not.toContain("Pay the remaining")
  const renewal = await renewedInPart()
  const page = await pageFor(signedIn())
  expect(page).toContain("Pay the remaining")
  expect(page).toContain(renewal.id)
  const linked = await respond(shop.services, { path: `/waiting?order=${renewal.id}`, session: signedIn() })
  expect(sessionLeft(shop, linked).orderId).toBe(renewal.id)
})

test("who is not signed in reads nothing of a renewal from another browser", async () => {
  const renewal = await renewedInPart()
  const { customer, proof, ...session } = signedIn()
  expect(await pageFor(session)).not.toContain(renewal.id)
})

async function pageFor(session: NonNullable<Visit["session"]>): Promise<string> {
  return (await respond(shop.services, { path: `${pathOf.viewer.success}.data`, session })).text()
}

function signedIn() {
  const at = shop.services.now()
  const customer = {
    id: bought.customerId,
    email: choice.email ?? "",
    currency: "EUR" as const,
    reach: "account" as const,
  }
  const proof = { how: "password" as const, at }
  return { id: "s1", customer, proof, sealedAt: at, serviceIds: [bought.serviceId] }
}

/** A renewal from a browser that is not signed in, of which fifteen euros have arrived. */
async function renewedInPart(): Promise<Order> {
  const { services } = shop
  const service = await services.billing.service(bought.serviceId)
  if (!service) throw new Error("There is no service")
  const placed = await renewServices(services, {
    renewed: [{ service, cycles: 1, shown: null }],
    customer: null,
    orderId: null,
    key: "renewal-1",
    gateway: "offshore",
    locale: "en-en",
    address: null,
    country: "MA",
    browser: null,
  })
  if (placed.kind !== "placed") throw new Error("The renewal was not placed")
  await openPayment(services, placed.order, { gateway: "offshore", coin: null })
  shop.gateway.reports("partially-paid", 15_00)
  shop.wait(5 * SECOND)
  await getOrderProgress(services, placed.order.id)
  return placed.order
}
