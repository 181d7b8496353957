import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import type { PurchaseTransaction } from "~/billing/orders/purchase-transaction"
import { DAY, SECOND } from "~/domain/calendar"
import type { BuyerPlace } from "~/domain/customers/country"
import { EntryLink } from "~/domain/orders/entry-link"
import { GatewayError } from "~/gateways/gateway"
import { pay } from "../../../tests/fixtures/purchase"
import { germanTax } from "../../../tests/fixtures/tax-rules"
import { NOON, openTestShop, pricing, type TestShop } from "../../../tests/fixtures/test-shop"
import { FRENCH } from "../../../tests/fixtures/vat-numbers"
import { refuseOrder } from "./held-order.server"
import { placeAutoOrder } from "./place-auto-order.server"
import { startTrial } from "./start-trial.server"

const link = { email: "ana@example.test", pid: "3", auto_redirect: "true" }

/** A visitor of whom nothing is known but the address. */
const nobody = {
  locale: "en-en",
  address: "192.0.2.7",
  affiliateId: null,
  browser: null,
  customer: null,
} as const

test("an auto-redirect link with e-mail and product places the order and opens the offshore gateway", async () => {
  const shop = await openTestShop()
  const placed = await follow(shop, link)
  expect(placed).toMatchObject({ kind: "opened", url: expect.stringMatching(/^https:\/\/pay\.test\//) })
  expect(shop.gateway.opened[0]?.amount).toEqual({ minor: 79_00, currency: "EUR" })
})

test.each<[string, BuyerPlace["business"], number]>([
  ["a consumer pays the price with tax", undefined, 79_00],
  [
    "a business that owes the tax itself pays the price without it",
    {
      company: "Lumière SARL",
      address: ["1 rue de la Paix"],
      taxNumber: FRENCH,
      check: { result: "valid", at: NOON, requestId: null },
    },
    65_83,
  ],
])("by an auto-redirect link %s", async (_, business, minor) => {
  const shop = await openTestShop({ tax: germanTax })
  const buyer: BuyerPlace = { named: "FR", located: "FR", business }
  const placed = await follow(shop, link, { country: "FR", buyer })
  expect(orderOf(placed).total.minor).toBe(minor)
  expect(shop.gateway.opened[0]?.amount.minor).toBe(minor)
})

test("an auto-redirect link orders nothing while the country has to be confirmed, and orders once it is", async () => {
  const shop = await openTestShop({ tax: germanTax })
  const buyer: BuyerPlace = { named: "AT", located: "DE" }
  expect(await follow(shop, link, { country: "AT", buyer })).toEqual({ kind: "stopped" })
  expect(await shop.billing.operator.orders({ limit: 1 })).toEqual([])
  const confirmed: BuyerPlace = { ...buyer, confirmed: "AT" }
  expect(await follow(shop, link, { country: "AT", buyer: confirmed })).toMatchObject({ kind: "opened" })
})

test("an auto-redirect link leads to the payment of the order of the same day, which has its country already", async () => {
  const shop = await openTestShop({ tax: germanTax })
  const placed = await follow(shop, link, { country: "DE", buyer: { named: "DE", located: "DE" } })
  const buyer: BuyerPlace = { named: "DE", located: "FR" }
  const again = await follow(shop, link, { country: "DE", buyer, orderId: orderOf(placed).id })
  expect(orderOf(again).id).toBe(orderOf(placed).id)
})

test("finds extras by their option ids and charges them", async () => {
  const shop = await openTestShop()
  const placed = await follow(shop, { ...link, extraconnect: "1", proxyprotect: "true" })
  expect(orderOf(placed).lines).toMatchObject([
    { kind: "plan" },
    { kind: "extraConnection", optionId: "2" },
    { kind: "proxyProtection", optionId: "4" },
  ])
})

test.each([
  ["GB", "GBP", "en-en"],
  ["ES", "EUR", "es-es"],
  ["US", "EUR", "en-en"],
  ["XX", "EUR", "en-en"],
])("from country %s the order is in %s with locale %s", async (country, currency, locale) => {
  const placed = await follow(await openTestShop(), link, { country })
  expect(orderOf(placed)).toMatchObject({ total: { currency }, locale })
})

test.each([
  ["WELCOME10", 71_10],
  ["SUMMER25", 79_00],
  ["NOSUCH", 79_00],
])(
  "with the promo code %s the total is %i cents, by the dates of the promotion",
  async (promocode, minor) => {
    const placed = await follow(await openTestShop(), { ...link, promocode })
    expect(orderOf(placed).total.minor).toBe(minor)
  },
)

test.each([
  ["an invalid e-mail", { email: "nobody" }],
  ["an invalid product id", { pid: "best" }],
  ["an unknown product", { pid: "99" }],
])("with %s places no order and shows no error", async (_, wrong) => {
  const shop = await openTestShop()
  expect(await follow(shop, { ...link, ...wrong })).toEqual({ kind: "stopped" })
  expect(await shop.billing.operator.orders({ limit: 9 })).toEqual([])
})

test("places no order when the product lacks a requested extra", async () => {
  const shop = await openTestShop()
  const { products, ...rest } = await shop.billing.operator.exportCatalogue()
  const bare = products.map((it) => ({ ...it, options: it.options.filter(({ id }) => id !== "4") }))
  await shop.billing.operator.importCatalogue({ ...rest, products: bare })
  expect((await follow(shop, { ...link, proxyprotect: "1" })).kind).toBe("stopped")
  expect((await follow(shop, { ...link, extraconnect: "1" })).kind).toBe("opened")
})

test("places no order when the offshore gateway is not enabled", async () => {
  const shop = await openTestShop()
  const services = { ...shop.services, enabledGateways: ["coinbase"] as const }
  expect(await follow({ ...shop, services }, link)).toEqual({ kind: "stopped" })
})

test("following the link twice in one browser on one day yields one order and one payment", async () => {
  const shop = await openTestShop()
  const first = orderOf(await follow(shop, link))
  expect(orderOf(await follow(shop, link, { orderId: first.id })).id).toBe(first.id)
  expect(shop.gateway.opened).toHaveLength(1)
})

test.each<[string, Record<string, string>]>([
  ["another product", { pid: "2" }],
  ["another e-mail", { email: "ben@example.test" }],
])("a link with %s places another order", async (_, other) => {
  const shop = await openTestShop()
  const first = orderOf(await follow(shop, link))
  expect(orderOf(await follow(shop, { ...link, ...other }, { orderId: first.id })).id).not.toBe(first.id)
})

test("another browser gets a separate order, so that it cannot see a paid one", async () => {
  const shop = await openTestShop()
  const first = orderOf(await follow(shop, link))
  expect(orderOf(await follow(shop, link)).id).not.toBe(first.id)
})

const blocked = { kind: "address", value: nobody.address, reason: null, at: 0 } as const

test.each<[string, object, number]>([
  ["whose current order it still is", {}, 0],
  ["that has ordered something else since", { orderId: null, sessionId: "s1" }, 0],
  ["the day after", {}, DAY],
])(
  "a link that is followed again while its order is on hold leads to that order, in a browser %s",
  async (_, browser, later) => {
    const shop = await openTestShop()
    await shop.billing.operator.block(blocked)
    const first = orderOf(await follow(shop, link, { sessionId: "s1" }))
    expect(first.status).toBe("fraud")
    shop.wait(later)
    const again = await follow(shop, link, { orderId: first.id, ...browser })
    expect(again).toMatchObject({ kind: "not-payable", order: { id: first.id, status: "fraud" } })
    expect(await shop.billing.operator.orders({ limit: 9 })).toHaveLength(1)
    expect(shop.gateway.opened).toEqual([])
  },
)

test("a link that is followed again after its order on hold was refused places another order", async () => {
  const shop = await openTestShop()
  await shop.billing.operator.block(blocked)
  const first = orderOf(await follow(shop, link, { sessionId: "s1" }))
  await refuseOrder(shop.services, first.id, "stolen card")
  const again = await follow(shop, link, { orderId: first.id, sessionId: "s1" })
  expect(orderOf(again).id).not.toBe(first.id)
})

test("does not reuse an order from the day before", async () => {
  const shop = await openTestShop()
  const first = orderOf(await follow(shop, link))
  shop.wait(DAY)
  expect(orderOf(await follow(shop, link, { orderId: first.id })).id).not.toBe(first.id)
})

test.each<[string, object]>([
  ["whose current order it still is", {}],
  ["that has ordered something else since", { orderId: null, sessionId: "s1" }],
])(
  "a link that is followed again after its order is paid orders nothing, in a browser %s",
  async (_, browser) => {
    const shop = await openTestShop()
    const first = orderOf(await follow(shop, link, { sessionId: "s1" }))
    await pay(shop, first)
    const again = await follow(shop, link, { orderId: first.id, ...browser })
    expect(again).toMatchObject({ kind: "settled", order: { id: first.id } })
    expect(shop.gateway.opened).toHaveLength(1)
  },
)

test("a link that is followed again while its payment is being confirmed opens no payment", async () => {
  const shop = await openTestShop()
  const first = orderOf(await follow(shop, link))
  shop.gateway.reports("processing", 0)
  shop.wait(3 * SECOND)
  const again = await follow(shop, link, { orderId: first.id })
  expect(again).toMatchObject({ kind: "not-payable", order: { id: first.id } })
})

test("a link that is followed again before its payment has been reported finds the payment", async () => {
  const shop = await openTestShop()
  const first = orderOf(await follow(shop, link))
  shop.gateway.reports("paid", first.total.minor)
  shop.wait(3 * SECOND)
  const again = await follow(shop, link, { orderId: first.id })
  expect(again).toMatchObject({ kind: "settled", order: { id: first.id, status: "paid" } })
})

test("orders again once the service of the paid order has been ended", async () => {
  const shop = await openTestShop()
  const first = orderOf(await follow(shop, link, { sessionId: "s1" }))
  await pay(shop, first)
  await shop.billing.operator.terminateService(first.serviceId, {
    owner: "operator",
    reason: "refunded",
    at: 0,
  })
  expect((await follow(shop, link, { orderId: first.id, sessionId: "s1" })).kind).toBe("opened")
})

test("a link to buy the plan that the browser tries for free places an order", async () => {
  const shop = await openTestShop()
  const { products, ...rest } = await shop.billing.operator.exportCatalogue()
  await shop.billing.operator.importCatalogue({
    ...rest,
    products: products.map((it) => (it.id === link.pid ? { ...it, trialHours: 24 } : it)),
  })
  const trial = await startTrial(shop.services, {
    ...nobody,
    planId: link.pid,
    email: link.email,
    key: "trial",
    pricing,
  })
  if (trial.kind !== "started") throw new Error(trial.reason)
  expect((await follow(shop, link, { orderId: trial.order.id })).kind).toBe("opened")
})

test("places no order when the promo code's last use was redeemed concurrently", async () => {
  const shop = await openTestShop()
  const placeOrder = async () => {
    throw new BillingError("refused", "no use left")
  }
  const purchase: PurchaseTransaction = (work) =>
    shop.services.purchase((ports) => work({ ...ports, placeOrder }))
  const late = { ...shop, services: { ...shop.services, purchase } }
  expect(await follow(late, { ...link, promocode: "WELCOME10" })).toEqual({ kind: "stopped" })
})

test("keeps the order without a payment when the gateway is unavailable", async () => {
  const shop = await openTestShop()
  shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  expect(await follow(shop, link)).toMatchObject({ kind: "not-payable", order: { status: "placed" } })
})

test("a repeat in one session continues the order of a visit whose response was lost", async () => {
  const shop = await openTestShop()
  const lost = orderOf(await follow(shop, link, { sessionId: "s1" }))
  const repeats = await Promise.all([1, 2].map(() => follow(shop, link, { sessionId: "s1" })))
  expect(repeats.map((it) => orderOf(it).id)).toEqual([lost.id, lost.id])
  expect(shop.gateway.opened).toHaveLength(1)
  expect(orderOf(await follow(shop, link, { sessionId: "s2" })).id).not.toBe(lost.id)
})

type AutoOrderRequest = {
  country?: string
  orderId?: string | null
  sessionId?: string | null
  buyer?: BuyerPlace
}

function follow(
  { services }: TestShop,
  query: Record<string, string>,
  { country = "XX", orderId = null, sessionId = null, buyer }: AutoOrderRequest = {},
) {
  const visitor = { ...nobody, country, orderId, sessionId, buyer }
  return placeAutoOrder(services, { ...visitor, link: EntryLink.parse(query) })
}

function orderOf(placed: Awaited<ReturnType<typeof placeAutoOrder>>) {
  if (placed.kind === "stopped") throw new Error("No order was placed")
  return placed.order
}
