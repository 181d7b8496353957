import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Order } from "~/domain/orders/order"
import { documentPolicy } from "../../../tests/fixtures/document-policy"
import { buyerIn } from "../../../tests/fixtures/kinds-of-sale"
import { browserWith, buy, buyPlan, orderConnection, pay } from "../../../tests/fixtures/purchase"
import { germanTax } from "../../../tests/fixtures/tax-rules"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { pollOrderPayment } from "../payments/poll-gateway.server"
import { accessibleServices } from "../services/accessible-services.server"
import { renewServices } from "../services/renew-services.server"
import { correctOrderEmail } from "./correct-email.server"

const who = { address: "192.0.2.1", visitor: "browser", authenticated: false }
const right = "anna@example.test"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const correct = (orderId: string, email = right) => correctOrderEmail(shop.services, { orderId, email, who })
const account = async (email: string) => {
  const customer = await shop.services.billing.customerOf(email)
  return customer && { id: customer.id, reach: "account" as const }
}
const servicesOf = async (email: string) => {
  const customer = await account(email)
  return customer ? shop.services.billing.servicesOf(customer) : []
}

const connectionFor = ({ serviceId }: Order, key: string) => orderConnection(shop, serviceId, { key })

/** One renewal of the services of two orders, ordered in a browser that is not signed in. */
async function renewalOf(...orders: readonly Order[]) {
  const found = await Promise.all(orders.map(({ serviceId }) => shop.services.billing.service(serviceId)))
  return renewServices(shop.services, {
    renewed: found.filter((it) => it !== null).map((service) => ({ service, cycles: 1, shown: null })),
    key: "renewal",
    customer: null,
    orderId: null,
    gateway: "offshore",
    locale: "en-en",
    address: null,
    country: "XX",
    browser: null,
  })
}

describe("the buyer of an unpaid order who mistyped the e-mail", () => {
  test("moves the order to the customer of the right one, who gets what is paid afterwards", async () => {
    const { order } = await buy(shop)
    expect(await correct(order.id)).toEqual({ kind: "corrected" })
    await pay(shop, order)
    expect(await servicesOf(right)).toMatchObject([{ orderId: order.id, status: "Active" }])
    expect(await servicesOf(order.email)).toEqual([])
    expect(await shop.billing.operator.findImbalances()).toEqual([])
  })

  test("sees the correction on the order's timeline", async () => {
    const { order } = await buy(shop)
    await correct(order.id)
    expect((await shop.services.billing.timeline(order.id)).map(({ kind }) => kind)).toContain(
      "email-corrected",
    )
    expect(await shop.services.billing.order(order.id)).toMatchObject({ email: right, emailProven: false })
  })
})

test("a paid order moves with its service and its payments, and this browser still shows it", async () => {
  const order = await buyPlan(shop)
  expect(await correct(order.id)).toEqual({ kind: "corrected" })
  const [service] = await servicesOf(right)
  expect(service).toMatchObject({ orderId: order.id })
  expect(await accessibleServices(shop.services, browserWith(order))).toMatchObject([{ id: service?.id }])
  const { customerId } = (await shop.services.billing.order(order.id)) ?? order
  const { payments = [] } = (await shop.billing.operator.exportCustomer([customerId])) ?? {}
  expect(payments).toHaveLength(1)
  expect(await shop.billing.operator.findImbalances()).toEqual([])
})

test("the invoice of a paid order names the right e-mail, and the mistyped one no more", async () => {
  const taxed = await openTestShop({ tax: germanTax, documents: documentPolicy })
  const mistyped = buyerIn(taxed, { email: "ana@example.test", buyer: { named: "DE", located: "DE" } })
  const { orderId } = await mistyped.service()
  const named = async () =>
    (await taxed.billing.documents.taxDocumentsOf(orderId)).map((it) => it.buyer.email)
  expect(await named()).toEqual(["ana@example.test"])
  await correctOrderEmail(taxed.services, { orderId, email: right, who })
  expect(await named()).toEqual([right])
  await taxed.billing.close()
})

test("what was bought for the service since moves with it, and the time that it has bought keeps its value", async () => {
  const { billing, now } = shop.services
  const order = await buyPlan(shop)
  const [paid, open] = [await connectionFor(order, "paid"), await connectionFor(order, "open")]
  await pay(shop, paid)
  const unusedTime = async () => (await billing.planFacts(order.serviceId, now()))?.unused
  const before = await unusedTime()
  expect(await correct(order.id)).toEqual({ kind: "corrected" })
  expect(await unusedTime()).toEqual(before)
  for (const { id } of [paid, open]) expect(await billing.order(id)).toMatchObject({ email: right })
  expect((await billing.timeline(paid.id)).map(({ kind }) => kind)).toContain("email-corrected")
  const { payments = [] } =
    (await shop.billing.operator.exportCustomer([(await account(right))?.id ?? ""])) ?? {}
  expect(payments).toHaveLength(2)
})

test("other orders under the mistyped e-mail stay where they are: they may be somebody else's", async () => {
  const first = await buyPlan(shop)
  const second = await buyPlan(shop, { key: "draft-2" })
  await correct(second.id)
  expect(await servicesOf(first.email)).toMatchObject([{ orderId: first.id }])
  expect(await servicesOf(right)).toMatchObject([{ orderId: second.id }])
})

test("the right e-mail may have an account already, and the answer does not tell", async () => {
  const others = await buyPlan(shop, { choices: { ...choice, email: right } })
  const { order } = await buy(shop, { key: "draft-2" })
  expect(await correct(order.id)).toEqual({ kind: "corrected" })
  expect((await shop.services.billing.order(order.id))?.customerId).toBe(others.customerId)
})

test("correcting to the same e-mail changes nothing, and twice is once", async () => {
  const { order } = await buy(shop)
  expect(await correct(order.id, order.email.toUpperCase())).toEqual({ kind: "corrected" })
  await correct(order.id)
  await correct(order.id)
  const kinds = (await shop.services.billing.timeline(order.id)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === "email-corrected")).toHaveLength(1)
})

describe("the e-mail is final", () => {
  test("for an order placed by a signed-in customer", async () => {
    await buyPlan(shop)
    const customer = await account("ana@example.test")
    const { order } = await buy(shop, { key: "draft-2", customer })
    expect(await correct(order.id)).toEqual({ kind: "refused" })
  })

  test.each(["aborted", "flagged", "deadlinePassed"] as const)("for an order that was %s", async (event) => {
    const { order } = await buy(shop)
    await shop.services.billing.applyOrderEvent(order.id, event, shop.services.now())
    expect(await correct(order.id)).toEqual({ kind: "refused" })
  })

  test("for an unknown order", async () => {
    expect(await correct("nobody's")).toEqual({ kind: "refused" })
  })

  test("for an order with account credit, which belongs to the former customer", async () => {
    const { order } = await buy(shop)
    shop.gateway.reports("paid", order.total.minor + 500)
    shop.wait(3_000)
    await pollOrderPayment(shop.services, order.id)
    expect(await correct(order.id)).toEqual({ kind: "refused" })
  })

  test("for an order whose service has brought account credit by what was bought since", async () => {
    const order = await buyPlan(shop)
    const connection = await connectionFor(order, "paid too much")
    await pay(shop, connection, connection.total.minor + 500)
    expect(await correct(order.id)).toEqual({ kind: "refused" })
    expect(await servicesOf(order.email)).toHaveLength(1)
  })

  test("for an order whose service was renewed together with another one", async () => {
    const [first, second] = [await buyPlan(shop), await buyPlan(shop, { key: "draft-2" })]
    await renewalOf(first, second)
    expect(await correct(first.id)).toEqual({ kind: "refused" })
  })

  test("with external billing, which has no call that moves an order", async () => {
    const { order } = await buy(shop)
    const services = { ...shop.services, hasExternalBilling: true }
    expect(await correctOrderEmail(services, { orderId: order.id, email: right, who })).toEqual({
      kind: "refused",
    })
  })
})

test("the twenty-first correction of a browser within a quarter of an hour is refused, and nothing moves", async () => {
  const { order } = await buy(shop)
  for (let nth = 0; nth < 20; nth++) {
    const other = await buy(shop, { key: `draft ${nth}` })
    await correct(other.order.id, `ana${nth}@example.test`)
  }
  expect(await correct(order.id)).toMatchObject({ kind: "too-many" })
  expect((await shop.services.billing.order(order.id))?.email).toBe(order.email)
})

test("an order is corrected five times: it sends no receipt to any number of strangers", async () => {
  const order = await buyPlan(shop)
  for (let nth = 1; nth <= 5; nth++)
    expect(await correct(order.id, `ana${nth}@example.test`)).toEqual({ kind: "corrected" })
  expect(await correct(order.id, "stranger@example.test")).toEqual({ kind: "refused" })
  expect((await shop.services.billing.order(order.id))?.email).toBe("ana5@example.test")
  expect(await account("stranger@example.test")).toBeNull()
})

test("corrections of the same moment are not more than five either", async () => {
  const { order } = await buy(shop)
  for (let nth = 1; nth <= 4; nth++) await correct(order.id, `ana${nth}@example.test`)
  const kinds = (await Promise.all([correct(order.id, "a@x.test"), correct(order.id, "b@x.test")])).map(
    ({ kind }) => kind,
  )
  expect(kinds.toSorted()).toEqual(["corrected", "refused"])
})
