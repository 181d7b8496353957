import { afterEach, beforeEach, expect, test } from "vitest"
import { pathOf } from "~/domain/orders/screen-paths"
import { enEn } from "~/i18n/screen-texts/en-en"
import { buy, buyPlan } from "../../../tests/fixtures/purchase"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop({ mailer: { send: async () => ({ kind: "sent", response: "250 ok" }) } })
})
afterEach(() => shop.billing.close())

type Bought = { readonly id: string; readonly customerId: string; readonly serviceId: string }

const erase = ({ customerId }: Bought) => shop.billing.operator.eraseCustomer([customerId], { force: true })

function visit({ id, serviceId }: Bought, request: Visit) {
  const session = { id: "browser", sealedAt: shop.services.now(), orderId: id, serviceIds: [serviceId] }
  return respond(shop.services, { session, ...request })
}

const page = async (bought: Bought, path: string) => (await visit(bought, { path: `${path}.data` })).text()

test("the service page of a customer who has been erased names no email, and promises no message", async () => {
  const bought = await buyPlan(shop)
  expect(await page(bought, pathOf.viewer.success)).toContain(enEn.place.reminder)
  await erase(bought)
  const left = await page(bought, pathOf.viewer.success)
  for (const said of ['"erased"', '"isCorrectable"', enEn.place.reminder]) expect(left).not.toContain(said)
})

test("neither does the waiting page of an order that such a customer had not paid", async () => {
  const { order } = await buy(shop)
  expect(await page(order, pathOf.viewer.waiting)).toContain(enEn.unpaid.email)
  await erase(order)
  const left = await page(order, pathOf.viewer.waiting)
  for (const said of ['"erased"', '"isCorrectable"', enEn.unpaid.email]) expect(left).not.toContain(said)
})

test("an order whose email was erased does not come back to a customer by a correction", async () => {
  const bought = await buyPlan(shop)
  await erase(bought)
  const form = { intent: "email", email: "anna@example.test" }
  expect((await visit(bought, { path: `${pathOf.viewer.success}.data`, form })).status).toBe(409)
  expect((await shop.services.billing.order(bought.id))?.customerId).toBe(bought.customerId)
})
