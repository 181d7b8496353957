import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { DAY } from "~/domain/calendar"
import { EntryLink } from "~/domain/entry-link"
import { GatewayError } from "~/gateways/gateway"
import { pay } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { placeAutoOrder } from "./place-auto-order.server"

const link = { email: "ana@example.test", pid: "3", auto_redirect: "true" }

test("a link with an e-mail and a product orders at once and leads to the offshore gateway", async () => {
  const shop = await openTestShop()
  const placed = await follow(shop, link)
  expect(placed).toMatchObject({ kind: "opened", url: expect.stringMatching(/^https:\/\/pay\.test\//) })
  expect(shop.gateway.opened[0]?.amount).toEqual({ minor: 79_00, currency: "EUR" })
})

test("the extras are found by their option ids, and charged", async () => {
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
])("from %s it is charged in %s and written in %s", async (country, currency, locale) => {
  const placed = await follow(await openTestShop(), link, { country })
  expect(orderOf(placed)).toMatchObject({ total: { currency }, locale })
})

test.each([
  ["WELCOME10", 71_10],
  ["SUMMER25", 79_00],
  ["NOSUCH", 79_00],
])("the code %s makes it %i cents: a discount counts only within its dates", async (promocode, minor) => {
  const placed = await follow(await openTestShop(), { ...link, promocode })
  expect(orderOf(placed).total.minor).toBe(minor)
})

test.each([
  ["no e-mail", { email: "nobody" }],
  ["no product", { pid: "best" }],
  ["a product that is not there", { pid: "99" }],
])("%s: it stops without a word, and nothing is ordered", async (_, wrong) => {
  const shop = await openTestShop()
  expect(await follow(shop, { ...link, ...wrong })).toEqual({ kind: "stopped" })
  expect(await shop.billing.operator.orders({ limit: 9 })).toEqual([])
})

test("a product without a price for an extra that is asked for stops it without a word", async () => {
  const shop = await openTestShop()
  const { products, ...rest } = await shop.billing.operator.exportCatalogue()
  const bare = products.map((it) => ({ ...it, options: it.options.filter(({ id }) => id !== "4") }))
  await shop.billing.operator.importCatalogue({ ...rest, products: bare })
  expect((await follow(shop, { ...link, proxyprotect: "1" })).kind).toBe("stopped")
  expect((await follow(shop, { ...link, extraconnect: "1" })).kind).toBe("opened")
})

test("a shop without the offshore gateway goes on with the ordinary checkout", async () => {
  const shop = await openTestShop()
  const services = { ...shop.services, enabledGateways: ["coinbase"] as const }
  expect(await follow({ ...shop, services }, link)).toEqual({ kind: "stopped" })
})

test("followed twice in one browser on one day it is one order and one payment", async () => {
  const shop = await openTestShop()
  const first = orderOf(await follow(shop, link))
  expect(orderOf(await follow(shop, link, { orderId: first.id })).id).toBe(first.id)
  expect(shop.gateway.opened).toHaveLength(1)
})

test.each<[string, Record<string, string>]>([
  ["another product", { pid: "2" }],
  ["another e-mail", { email: "ben@example.test" }],
])("%s is another order", async (_, other) => {
  const shop = await openTestShop()
  const first = orderOf(await follow(shop, link))
  expect(orderOf(await follow(shop, { ...link, ...other }, { orderId: first.id })).id).not.toBe(first.id)
})

test("another browser gets an order of its own: what one pays for the other must not see", async () => {
  const shop = await openTestShop()
  const first = orderOf(await follow(shop, link))
  expect(orderOf(await follow(shop, link)).id).not.toBe(first.id)
})

test("an order that has been paid, or is of yesterday, is not used again", async () => {
  const shop = await openTestShop()
  const first = orderOf(await follow(shop, link))
  await pay(shop, first)
  const second = orderOf(await follow(shop, link, { orderId: first.id }))
  expect(second.id).not.toBe(first.id)
  shop.wait(DAY)
  expect(orderOf(await follow(shop, link, { orderId: second.id })).id).not.toBe(second.id)
})

test("a code whose last use somebody else has just taken stops it without a word", async () => {
  const shop = await openTestShop()
  const billing = {
    ...shop.services.billing,
    placeOrder: async () => {
      throw new BillingError("refused", "no use left")
    },
  }
  const late = { ...shop, services: { ...shop.services, billing } }
  expect(await follow(late, { ...link, promocode: "WELCOME10" })).toEqual({ kind: "stopped" })
})

test("while the gateway does not answer the order is kept for its own screen", async () => {
  const shop = await openTestShop()
  shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  expect(await follow(shop, link)).toMatchObject({ kind: "kept", order: { status: "placed" } })
})

type AutoOrderRequest = { country?: string; orderId?: string | null }

function follow(
  { services }: TestShop,
  query: Record<string, string>,
  { country = "XX", orderId = null }: AutoOrderRequest = {},
) {
  return placeAutoOrder(services, {
    ...{ link: EntryLink.parse(query), country, orderId },
    ...{ locale: "en-en", address: "192.0.2.7", affiliateId: null, browser: null, customer: null },
  })
}

function orderOf(placed: Awaited<ReturnType<typeof placeAutoOrder>>) {
  if (placed.kind === "stopped") throw new Error("Nothing was ordered")
  return placed.order
}
