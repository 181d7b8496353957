import { expect, test } from "vitest"
import { meet } from "../../../tests/fixtures/middleware-harness"
import { buy, buyPlan } from "../../../tests/fixtures/purchase"
import { choice, openTestShop } from "../../../tests/fixtures/test-shop"
import { otherLink } from "./other-selection.server"

const shop = await openTestShop()
const { order } = await buy(shop)
const browser = { orderId: order.id, serviceIds: [order.serviceId], choices: choice }

const visit = (path: string, session: object = browser) =>
  meet(otherLink, { services: shop.services, path: `/checkout/de-de${path}`, session })

test.each([
  ["?pid=1", { plan: "1" }],
  ["?proxyprotect=1", { proxyProtection: true }],
  ["/resellers?pid=12", { kind: "reseller", plan: "12" }],
])(
  "whoever opens a link with %s beside an unpaid order is asked which of the two they want",
  async (path, chosen) => {
    const { location, session } = await visit(path)
    expect(location).toBe("/checkout/de-de/waiting?another")
    expect(session.choices).toMatchObject(chosen)
  },
)

test.each([
  ["the plan of the unpaid order", "?pid=3"],
  ["an email alone", "?email=ben@example.test"],
  ["a promo code alone", "?promocode=WELCOME10"],
  ["a plan that is not on sale", "?pid=99"],
  ["a reseller plan that is not on sale", "/resellers?pid=99"],
  ["the trial of a plan", "/trial?pid=1"],
])("a link to %s asks nothing", async (_, path) => {
  expect((await visit(path)).location).toBeNull()
})

test.each([
  ["without an order", null],
  ["whose order is paid", (await buyPlan(shop, { key: "draft-2" })).id],
])("a browser %s is asked nothing", async (_, orderId) => {
  expect((await visit("?pid=1", { ...browser, orderId })).location).toBeNull()
})
