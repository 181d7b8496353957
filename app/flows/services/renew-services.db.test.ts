import { afterEach, beforeEach, expect, test } from "vitest"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import { NOT_RENEWABLE } from "~/domain/forms/renewal-fields"
import { money } from "~/domain/money/money"
import type { Service } from "~/domain/services/service"
import { buy, buyPlan, request } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { placeOrder } from "../checkout/place-order.server"
import { runJobs } from "../jobs/run-jobs.server"
import { type Renewed, renewServices } from "./renew-services.server"

let shop: TestShop
let serviceId: string
beforeEach(async () => {
  shop = await openTestShop()
  serviceId = (await buyPlan(shop)).serviceId
})
afterEach(() => shop.billing.close())

let forms = 0

/** Orders renewals of the service by these numbers of cycles, each from a browser of its own, at once. */
async function renewAtOnce(...cycles: readonly number[]): Promise<readonly string[]> {
  return renewAs(null, ...cycles)
}

async function renewAs(
  customer: AuthenticatedCustomer | null,
  ...cycles: readonly number[]
): Promise<readonly string[]> {
  const placements = await Promise.all(cycles.map((count) => renew({ cycles: count, shown: null, customer })))
  return placements.map((it) => (it.kind === "placed" ? it.order.id : it.reason))
}

type Renewing = Pick<Renewed, "cycles" | "shown"> & { readonly customer?: AuthenticatedCustomer | null }

async function renew({ customer = null, ...form }: Renewing) {
  const service = await shop.services.billing.service(serviceId)
  if (!service) throw new Error(`No service ${serviceId}`)
  return renewServices(shop.services, {
    renewed: [{ service, ...form }],
    customer,
    orderId: null,
    key: `key ${++forms}`,
    gateway: "offshore",
    locale: "en-en",
    address: null,
    country: "MA",
    browser: null,
  })
}

test("a renewal that costs more than its page has shown is not ordered, one that costs less is", async () => {
  const dearer = await renew({ cycles: 1, shown: TOTAL - 1 })
  expect(dearer).toEqual({ kind: "rejected", field: "form", reason: "review.price-changed" })
  expect(await shop.services.billing.unpaidRenewals(serviceId, shop.services.now())).toEqual([])
  expect(await renew({ cycles: 1, shown: TOTAL + 1 })).toMatchObject({
    kind: "placed",
    order: { total: money(TOTAL, "EUR") },
  })
})

test("the same renewal from several browsers at once is one order", async () => {
  expect(new Set(await renewAtOnce(1, 1, 1)).size).toBe(1)
  expect(await shop.services.billing.unpaidRenewals(serviceId, shop.services.now())).toHaveLength(1)
})

test("renewals of a service by other numbers of cycles at once are orders of their own", async () => {
  const end = (await shop.services.billing.service(serviceId))?.paidUntil ?? 0
  // The shop sells two years ahead.
  shop.wait(end - shop.services.now())
  const [one, two, again] = await renewAtOnce(1, 2, 1)
  expect(two).not.toBe(one)
  expect(again).toBe(one)
  expect(await shop.services.billing.unpaidRenewals(serviceId, shop.services.now())).toHaveLength(2)
})

test("a renewal that has used account credit is continued from the customer's other browser, and by nobody else", async () => {
  const { billing, now } = shop.services
  const customer = { id: (await billing.service(serviceId))?.customerId ?? "", reach: "account" } as const
  const given = { key: "grant", amount: money(500, "EUR"), reason: "test", at: now() }
  await shop.billing.operator.grantAccountCredit(customer.id, given)
  const [id = ""] = await renewAs(customer, 1)
  expect(await billing.order(id)).toMatchObject({ status: "placed", credited: money(-500, "EUR") })
  expect(await renewAs(customer, 1, 1)).toEqual([id, id])
  expect((await renewAs(null, 1))[0]).not.toBe(id)
})

test("a renewal that is sent again because its answer was lost is the order that was paid with account credit", async () => {
  const { billing, now } = shop.services
  const customer = { id: (await billing.service(serviceId))?.customerId ?? "", reach: "account" } as const
  const given = { key: "grant", amount: money(500_00, "EUR"), reason: "test", at: now() }
  await shop.billing.operator.grantAccountCredit(customer.id, given)
  const [id = ""] = await renewAs(customer, 1)
  expect(await billing.order(id)).toMatchObject({ status: "active" })
  // Two years are sold ahead: nothing more can be renewed.
  expect(await renewAs(customer, 1)).toEqual([NOT_RENEWABLE])
  forms -= 2
  expect(await renewAs(customer, 1)).toEqual([id])
})

test("services that were bought in two currencies are not renewed in one order", async () => {
  const { services } = shop
  const inPounds = { key: "draft in pounds", pricing: { country: "GB", currency: "GBP" } as const }
  const asked = await placeOrder(services, request({ ...inPounds, agreedTotal: 0 }))
  if (asked.kind !== "price-changed") throw new Error(`The price was not asked for: ${asked.kind}`)
  const { minor } = asked.quote.total
  const { order } = await buy(shop, { ...inPounds, agreedTotal: minor })
  await services.billing.applyOrderEvent(order.id, "paid", services.now())
  await runJobs(services)
  const bought = await Promise.all([serviceId, order.serviceId].map((id) => services.billing.service(id)))
  const found = bought.filter((it) => it !== null)
  expect(found.map(({ currency }) => currency)).toEqual(["EUR", "GBP"])
  const renew = (renewed: readonly Service[], key: string) =>
    renewServices(services, {
      renewed: renewed.map((service) => ({ service, cycles: 1, shown: null })),
      customer: null,
      orderId: null,
      key,
      gateway: "offshore",
      locale: "en-en",
      address: null,
      country: "MA",
      browser: null,
    })
  expect(await renew(found, "both")).toMatchObject({ kind: "rejected", field: "form", reason: NOT_RENEWABLE })
  // Each by itself is.
  expect(await renew(found.slice(0, 1), "euros")).toMatchObject({ kind: "placed" })
  expect(await renew(found.slice(1), "pounds")).toMatchObject({ kind: "placed" })
})
