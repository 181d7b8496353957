import { afterEach, beforeEach, expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { pathOf } from "~/domain/orders/screen-paths"
import type { Service } from "~/domain/services/service"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { changePlan, planChoices } from "~/flows/services/change-plan.server"
import { renewServices } from "~/flows/services/renew-services.server"
import { buyPlan, orderConnection } from "../../../tests/fixtures/purchase"
import { openResellerAccount } from "../../../tests/fixtures/reseller-account"
import { sessionLeft } from "../../../tests/fixtures/session-harness"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let bought: Order
beforeEach(async () => {
  shop = await openTestShop()
  bought = await buyPlan(shop, {
    choices: { ...choice, plan: "1", extraConnection: false },
    agreedTotal: 12_00,
  })
})
afterEach(() => shop.billing.close())

/** Orders from a browser that is not signed in. */
const kinds: Record<string, () => Promise<Order>> = {
  "a renewal": renewed,
  "a connection": () => orderConnection(shop, bought.serviceId),
  "a change of plan": changed,
}

test.each(Object.entries(kinds))(
  "the service page announces %s that its customer has paid a part of in another browser, and leads to its rest",
  async (_, place) => {
    expect(await pageFor(signedIn())).not.toContain("Pay the remaining")
    const order = await paidInPart(await place())
    const page = await pageFor(signedIn())
    expect(page).toContain("Pay the remaining")
    expect(page).toContain(order.id)
    const linked = await respond(shop.services, { path: `/waiting?order=${order.id}`, session: signedIn() })
    expect(sessionLeft(shop, linked).orderId).toBe(order.id)
  },
)

test("who is not signed in reads nothing of a renewal from another browser", async () => {
  const renewal = await paidInPart(await renewed())
  const { customer, proof, ...session } = signedIn()
  expect(await pageFor(session)).not.toContain(renewal.id)
})

test("a reseller reads of connections for the account that another browser has paid a part of", async () => {
  const { service, session } = await openResellerAccount(shop, "dora@example.test")
  const order = await paidInPart(await orderConnection(shop, service.id))
  const path = `${pathOf.reseller.success}.data`
  const page = await (await respond(shop.services, { path, session })).text()
  expect(page).toContain("Pay the remaining")
  expect(page).toContain(order.id)
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

async function owned(): Promise<Service> {
  const service = await shop.services.billing.service(bought.serviceId)
  if (!service) throw new Error("There is no service")
  return service
}

/** What a browser that is not signed in sends with an order. */
const sent = {
  customer: null,
  orderId: null,
  key: "order-1",
  gateway: "offshore",
  locale: "en-en",
  address: null,
  country: "MA",
  browser: null,
} as const

async function renewed(): Promise<Order> {
  const renewal = { service: await owned(), cycles: 1, shown: null }
  return opened(await renewServices(shop.services, { ...sent, renewed: [renewal] }))
}

async function changed(): Promise<Order> {
  const { services } = shop
  const [service, at] = [await owned(), services.now()]
  const choices = await planChoices(services, services.catalogue, { service, at })
  const change = choices?.changes.find(({ productId }) => productId === "2")
  if (change?.when !== "now") throw new Error("Plan 2 is not to be had now")
  const { productId, cycle, price, due } = change
  const shown = { productId, cycle, price: price.minor, at, due: due.minor }
  return opened(await changePlan(services, { ...sent, service, shown }))
}

async function opened(placement: { kind: string; order?: Order }): Promise<Order> {
  const { order } = placement
  if (!order) throw new Error(`The order was not placed: ${placement.kind}`)
  await openPayment(shop.services, order, { gateway: "offshore", coin: null })
  return order
}

/** One euro of an order arrives. */
async function paidInPart(order: Order): Promise<Order> {
  shop.gateway.reports("partially-paid", 1_00)
  shop.wait(5 * SECOND)
  await getOrderProgress(shop.services, order.id)
  return order
}
