import { expect, test } from "vitest"
import { CustomerRejectedError } from "~/billing/billing"
import { DAY, SECOND } from "~/domain/calendar"
import type { Service } from "~/domain/services/service"
import { cancelUnpaidOrder } from "~/flows/payments/cancel-order.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { browserWith, buyPlan, pay } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { buyUpsell } from "./buy-upsell.server"
import { showAccess } from "./show-access.server"
import { showUpsell } from "./show-upsell.server"

test("offers connections at the unit price of the service's cycle", async () => {
  const { shop, service } = await withService()
  const offer = await showUpsell(shop.services, [service], {
    serviceId: null,
    quantity: null,
    locale: "en-en",
  })
  expect(offer).toMatchObject({ chosen: service.id, quantity: 1, services: [{ connections: 2 }] })
  expect(offer?.services[0]?.unit).toEqual({ minor: 19_90, currency: "EUR" })
})

test("charges price times quantity and adds the connections to service and panel after payment", async () => {
  const { shop, service } = await withService()
  const order = await orderMore(shop, service, { quantity: 3 })
  expect(order.total.minor).toBe(3 * 19_90)
  expect((await now(shop, service)).connections).toBe(2)
  await openPayment(shop.services, order, { gateway: "offshore", coin: null })
  await pay(shop, order)
  expect((await now(shop, service)).connections).toBe(5)
  expect(shop.panel.received.at(-1)).toMatchObject({ what: "connections", line: { connections: 5 } })
  expect((await shop.services.billing.order(order.id))?.status).toBe("active")
})

test("a service that works unpaid within its grace gets connections once it is renewed", async () => {
  const { shop, service } = await withService()
  shop.wait((service.paidUntil ?? 0) - shop.services.now() + DAY)
  const asked = { serviceId: null, quantity: null, locale: "en-en" } as const
  expect(await showUpsell(shop.services, [service], asked)).toBeNull()
  await expect(orderMore(shop, service)).rejects.toThrow("upsell.gone")
})

test("an unpaid upsell is never shown as paid", async () => {
  const { shop, service } = await withService()
  const order = await orderMore(shop, service)
  const visitor = { ...browserWith(order), serviceIds: [service.id], serviceId: service.id }
  const unpaid = { order: null, unpaid: { id: order.id } }
  expect(await showAccess(shop.services, visitor)).toMatchObject(unpaid)
  await openPayment(shop.services, order, { gateway: "offshore", coin: null })
  expect(await showAccess(shop.services, visitor)).toMatchObject(unpaid)
  shop.gateway.reports("partially-paid", 500)
  shop.wait(3 * SECOND)
  await pollOrderPayment(shop.services, order.id)
  expect(await showAccess(shop.services, visitor)).toMatchObject(unpaid)
  await pay(shop, order)
  expect(await showAccess(shop.services, visitor)).toMatchObject({ order: { id: order.id }, unpaid: null })
})

test("a cancelled upsell is neither shown as paid nor as unpaid", async () => {
  const { shop, service } = await withService()
  const order = await orderMore(shop, service)
  await cancelUnpaidOrder(shop.services, order.id)
  const visitor = { ...browserWith(order), serviceIds: [service.id], serviceId: service.id }
  expect(await showAccess(shop.services, visitor)).toMatchObject({ order: null, unpaid: null })
})

test("two concurrent submissions of the same form place one upsell", async () => {
  const { shop, service } = await withService()
  const [first, second] = await Promise.all([orderMore(shop, service), orderMore(shop, service)])
  expect(second.id).toBe(first.id)
})

test("an idempotency key of another customer's upsell returns nothing of it", async () => {
  const { shop, service } = await withService()
  const other = await buyPlan(shop, {
    key: "draft-2",
    choices: { ...shopChoice, email: "ben@example.test" },
  })
  await orderMore(shop, service)
  const another = await shop.services.billing.service(other.serviceId)
  if (!another) throw new Error("no service")
  expect(await upsellRequest(shop, another, {})).toMatchObject({ kind: "rejected", field: "serviceid" })
})

test("a product without an extra connection option offers no upsell", async () => {
  const { shop, service } = await withService()
  const { products, ...rest } = await shop.billing.operator.exportCatalogue()
  await shop.billing.operator.importCatalogue({
    ...rest,
    products: products.map((it) => ({ ...it, options: [] })),
  })
  expect(
    await showUpsell(shop.services, [service], { serviceId: null, quantity: null, locale: "en-en" }),
  ).toBeNull()
  expect(await upsellRequest(shop, service, {})).toMatchObject({ kind: "rejected", reason: "upsell.gone" })
})

test("a customer who cannot order at billing is rejected in words of that account", async () => {
  const { shop, service } = await withService()
  const addInvoice = async () => {
    throw new CustomerRejectedError("Cannot place order: WHMCS client 7 is closed")
  }
  const services = { ...shop.services, billing: { ...shop.services.billing, addInvoice } }
  expect(await upsellRequest({ ...shop, services }, service, {})).toEqual({
    kind: "rejected",
    field: "form",
    reason: "upsell.customer-rejected",
  })
})

test("a higher price than shown requires new consent, a lower one does not", async () => {
  const { shop, service } = await withService()
  expect(await upsellRequest(shop, service, { shownUnit: 19_89 })).toMatchObject({
    kind: "rejected",
    field: "form",
    reason: "review.price-changed",
  })
  expect((await upsellRequest(shop, service, { shownUnit: 19_91 })).kind).toBe("placed")
})

type Changes = { quantity?: number; shownUnit?: number | null }

const shopChoice = {
  kind: "plan" as const,
  plan: "3",
  extraConnection: true,
  proxyProtection: false,
  promoCode: null,
  email: "ana@example.test",
  gateway: "offshore" as const,
  coin: null,
}

async function withService() {
  const shop = await openTestShop()
  const order = await buyPlan(shop)
  const service = await shop.services.billing.service(order.serviceId)
  if (!service) throw new Error("no service")
  return { shop, service }
}

function upsellRequest(
  { services }: TestShop,
  service: Service,
  { quantity = 1, shownUnit = null }: Changes,
) {
  return buyUpsell(services, {
    service,
    customer: null,
    orderId: null,
    quantity,
    shownUnit,
    key: "upsell-1",
    gateway: "offshore",
    locale: "en-en",
    address: "192.0.2.7",
    country: "XX",
    browser: null,
  })
}

async function orderMore(shop: TestShop, service: Service, changes: Changes = {}) {
  const placement = await upsellRequest(shop, service, changes)
  if (placement.kind !== "placed") throw new Error(`not placed: ${placement.reason}`)
  return placement.order
}

async function now(shop: TestShop, { id }: Service): Promise<Service> {
  const service = await shop.services.billing.service(id)
  if (!service) throw new Error("no service")
  return service
}
