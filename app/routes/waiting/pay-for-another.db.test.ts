import { afterEach, beforeEach, expect, test } from "vitest"
import type { Order } from "~/domain/orders/order"
import { resumeToken } from "~/flows/payments/resume-order.server"
import { renewalLink } from "~/flows/services/renewal-link.server"
import { documentPolicy } from "../../../tests/fixtures/document-policy"
import { buyPlan, orderConnection, pay } from "../../../tests/fixtures/purchase"
import { sessionLeft } from "../../../tests/fixtures/session-harness"
import { respond } from "../../../tests/fixtures/shop-router"
import { germanTax } from "../../../tests/fixtures/tax-rules"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { FRENCH } from "../../../tests/fixtures/vat-numbers"

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

test("who pays for another's business by the link of a renewal or of a payment reads neither its name nor its number", async () => {
  const check = { result: "valid", at: shop.services.now(), requestId: null } as const
  const business = { company: "Cinéma Lumière", address: ["Rue 1", "Lyon"], taxNumber: FRENCH, check }
  await shop.services.billing.setBusiness(order.customerId, business)
  const link = await renewalLink(shop.services, order.serviceId)
  const pageOfLink = link?.replace("?", ".data?") ?? ""
  const form = {
    intent: "renew",
    key: "form-1",
    serviceid: order.serviceId,
    cycles: "1",
    gateway: "offshore",
  }
  const placed = await respond(shop.services, { path: link ?? "", form })
  const another = sessionLeft(shop, placed)
  const read = async (path: string, session: object) =>
    (await respond(shop.services, { path, session })).text()
  expect(await read(pageOfLink, {})).not.toMatch(/Lumière|FR40303265045/)
  expect(await read("/waiting.data", another)).not.toMatch(/Lumière|FR40303265045/)
  const own = { ...another, serviceIds: [order.serviceId] }
  expect(await read("/waiting.data", own)).toContain("Cinéma Lumière")
  const renewal = await shop.services.billing.order(another.orderId ?? "")
  const [attempt] = (await shop.billing.operator.order(renewal?.id ?? ""))?.attempts ?? []
  const token = resumeToken(shop.services, attempt?.id ?? "")
  const headers = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" }
  const asked = await respond(shop.services, { path: `/waiting.data?resume=${token}`, headers })
  const confirmation = await asked.text()
  expect(confirmation).toContain(renewal?.id)
  expect(confirmation).not.toMatch(/Lumière|FR40303265045/)
  if (renewal) await pay(shop, renewal)
  const paid = await read("/renew.data", another)
  expect(paid).toContain('"isPaid"')
  expect(paid).not.toMatch(/Lumière|FR40303265045/)
})
