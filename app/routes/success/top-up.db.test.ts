import { afterEach, beforeEach, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { pathOf } from "~/domain/orders/screen-paths"
import { REFUSED_TOP_UP } from "~/domain/orders/top-up"
import { buyPlan, pay } from "../../../tests/fixtures/purchase"
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

type Reach = "account" | "sign-up"

/** The session of a customer with the service. */
function sessionOf(order: Order, reach: Reach = "account"): NonNullable<Visit["session"]> {
  const customer = { id: order.customerId, email: choice.email ?? "", currency: "EUR" as const, reach }
  const at = shop.services.now()
  const proof = { how: "password" as const, at }
  return { id: "s1", customer, proof, sealedAt: at, serviceIds: [order.serviceId] }
}

async function send(changes: Record<string, string> = {}, session = sessionOf(bought)) {
  const form = {
    intent: "topup",
    key: "form-1",
    serviceid: bought.serviceId,
    amount: "2500",
    gateway: "offshore",
  }
  const response = await respond(shop.services, {
    path: pathOf.viewer.success,
    form: { ...form, ...changes },
    session,
  })
  return { response, session: sessionLeft(shop, response) }
}

const credit = () => shop.services.payments.accountCredit(bought.customerId, "EUR")

test("a form sent twice is one order, whose payment is account credit and leads back to the service", async () => {
  const first = await send()
  expect(first.response.status).toBe(303)
  const again = await send()
  expect(again.session.orderId).toBe(first.session.orderId)
  const order = await shop.services.billing.order(first.session.orderId ?? "")
  if (!order) throw new Error("There is no order")
  expect(order).toMatchObject({ kind: "topup", total: { minor: 2_500 }, accessScope: { reach: "account" } })
  await pay(shop, order)
  expect((await credit()).minor).toBe(2_500)
  const session = { ...sessionOf(bought), orderId: order.id }
  const page = await respond(shop.services, { path: `${pathOf.viewer.success}.data`, session })
  expect(await page.text()).toContain("€25.00 of account credit added")
})

/** Orders a top-up of 25 euros, for which the gateway reports so much. */
async function paidWith(minor: number): Promise<Order> {
  const { session } = await send()
  const order = await shop.services.billing.order(session.orderId ?? "")
  if (!order) throw new Error("There is no order")
  await pay(shop, order, minor)
  return order
}

/** What the page of the service is rendered from, or with a query that of the account. */
async function pageOf(order: Order, query = ""): Promise<string> {
  const session = { ...sessionOf(bought), orderId: order.id }
  const response = await respond(shop.services, { path: `${pathOf.viewer.success}.data${query}`, session })
  return (await response.text()).replaceAll("\u00a0", " ")
}

test("a top-up that was paid with more says what was paid and added, on the page and on its receipt", async () => {
  const order = await paidWith(3_000)
  expect((await credit()).minor).toBe(3_000)
  const page = await pageOf(order)
  expect(page).toContain("€30.00 of account credit added")
  expect(page).toMatch(/\b3000\b/)
  const receipt = await pageOf(order, `?account&receipt=${order.id}`)
  expect([/\b3000\b/.test(receipt), /\b2500\b/.test(receipt)]).toEqual([true, false])
})

test("the receipt of a top-up of which a part was paid back says which part", async () => {
  const order = await paidWith(3_000)
  const { refunds, now } = shop.services
  const gateways = [{ id: "offshore", isWholeOnly: false }] as const
  const asked = { id: "r1", orderId: order.id, amount: money(1_000, "EUR"), reason: "asked" }
  await refunds.begin({ ...asked, gateways, address: null, endsService: false, at: now() })
  await refunds.sent("r1", { claimUrl: null, at: now() })
  expect((await credit()).minor).toBe(2_000)
  expect(await pageOf(order, `?account&receipt=${order.id}`)).toContain("Refunded €10.00")
})

test("an amount that is not offered, and one beyond the bound, are refused at the form", async () => {
  const { terms } = shop.services.shop
  if (!terms) throw new Error("There are no terms")
  const bounded = { ...shop.services.shop, terms: { ...terms, topUps: { ...terms.topUps, max: 2_499 } } }
  for (const [changes, services] of [
    [{ amount: "2501" }, shop.services],
    [{}, { ...shop.services, shop: bounded }],
  ] as const) {
    const form = {
      intent: "topup",
      key: "form-2",
      serviceid: bought.serviceId,
      amount: "2500",
      gateway: "offshore",
    }
    const path = `${pathOf.viewer.success}.data`
    const response = await respond(services, {
      path,
      form: { ...form, ...changes },
      session: sessionOf(bought),
    })
    expect(response.status).toBe(422)
    expect(await response.text()).toContain(REFUSED_TOP_UP)
  }
})

test("another customer, a sign-up password and a browser that only bought add no account credit", async () => {
  const other = await buyPlan(shop, { key: "other", choices: { ...choice, email: "eva@example.test" } })
  const { customer: _, proof: __, ...anonymous } = sessionOf(bought)
  for (const session of [sessionOf(other), sessionOf(bought, "sign-up"), anonymous])
    expect((await send({}, session)).response.status).toBe(404)
})

test("the page offers no amount that a top-up which can be paid still makes too large", async () => {
  const { terms } = shop.services.shop
  if (!terms) throw new Error("There are no terms")
  const topUps = { amounts: [1_000, 2_500], max: 4_000 }
  const services = { ...shop.services, shop: { ...shop.services.shop, terms: { ...terms, topUps } } }
  const page = async () => {
    const path = `${pathOf.viewer.success}.data`
    return (await respond(services, { path, session: sessionOf(bought) })).text()
  }
  expect(await page()).toContain("€25.00")
  await send()
  expect(await page()).toContain("€10.00")
  expect(await page()).not.toContain("€25.00")
})
