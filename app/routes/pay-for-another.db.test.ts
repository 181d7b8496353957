import { afterEach, beforeEach, expect, test } from "vitest"
import type { Order } from "~/domain/order"
import { documentPolicy } from "../../tests/fixtures/document-policy"
import { buyPlan, orderConnection, pay } from "../../tests/fixtures/purchase"
import { respond } from "../../tests/fixtures/shop-router"
import { germanTax } from "../../tests/fixtures/tax-rules"
import { openTestShop, type TestShop } from "../../tests/fixtures/test-shop"

let shop: TestShop
let order: Order
beforeEach(async () => {
  shop = await openTestShop({ tax: germanTax, documents: documentPolicy })
  const { serviceId } = await buyPlan(shop)
  order = await orderConnection(shop, serviceId, { country: "DE" })
})
afterEach(() => shop.billing.close())

/** Of who was sent the link of the payment, and of the buyer. */
function sessions() {
  const another = { id: "s1", sealedAt: shop.services.now(), orderId: order.id }
  return { another, own: { ...another, serviceIds: [order.serviceId] } }
}

test("who pays another's connections by the link of their payment reads the address masked, the buyer in full", async () => {
  const read = async (session: object) =>
    (await respond(shop.services, { path: "/waiting.data", session })).text()
  const { another, own } = sessions()
  expect(await read(own)).toContain(order.email)
  const masked = await read(another)
  expect(masked).not.toContain(order.email)
  expect(masked).not.toContain("documents/proforma")
})

test("who pays another's connections by the link of their payment gets neither proforma nor invoice, which name the customer", async () => {
  const { another, own } = sessions()
  const statuses = async (path: string) =>
    Promise.all(
      [another, own].map(async (session) => (await respond(shop.services, { path, session })).status),
    )
  expect(await statuses(`/documents/proforma/${order.id}`)).toEqual([404, 200])
  await pay(shop, order)
  const [invoice] = await shop.services.documents.taxDocumentsOf(order.id)
  expect(await statuses(`/documents/${invoice?.number}`)).toEqual([404, 200])
})
