import { afterEach, beforeEach, expect, test } from "vitest"
import type { IssuedDocument } from "~/domain/accounting/tax-document"
import type { Order } from "~/domain/orders/order"
import { documentPolicy } from "../../../tests/fixtures/document-policy"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { customerSession } from "../../../tests/fixtures/session-harness"
import { respond } from "../../../tests/fixtures/shop-router"
import { germanTax } from "../../../tests/fixtures/tax-rules"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let bought: Order
let invoice: IssuedDocument
beforeEach(async () => {
  shop = await openTestShop({ tax: germanTax, documents: documentPolicy })
  bought = await buyPlan(shop)
  const [first] = await shop.services.documents.taxDocumentsOf(bought.id)
  if (!first) throw new Error("There is no invoice")
  invoice = first
})
afterEach(() => shop.billing.close())

const fetched = (name: string, session = {}) =>
  respond(shop.services, {
    path: `/${name}`,
    session: { sealedAt: shop.services.now(), ...session },
  })

test.each([
  ["pdf", "application/pdf", "%PDF-1.7"],
  ["xml", "application/xml; charset=utf-8", "<?xml version"],
])("the buyer downloads the invoice as %s, which nobody keeps", async (form, type, start) => {
  const response = await fetched(`documents/${invoice.number}.${form}`, { serviceIds: [bought.serviceId] })
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe(type)
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${invoice.number}.${form}"`)
  expect(response.headers.get("cache-control")).toContain("no-store")
  expect((await response.text()).startsWith(start)).toBe(true)
})

test("the buyer reads the invoice as a page in its language, which nobody keeps and no search engine lists", async () => {
  const response = await fetched(`de-de/documents/${invoice.number}`, { orderId: bought.id })
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(response.headers.get("content-disposition")).toBeNull()
  expect(response.headers.get("cache-control")).toContain("no-store")
  const page = await response.text()
  expect(page).toContain(`>Invoice ${invoice.number}</h1>`)
  expect(page).toContain('name="robots" content="noindex"')
  expect(page).toContain('href="/checkout/de-de/success"')
  expect(page).toContain(`href="${invoice.number}.pdf"`)
})

test("the session that has just bought downloads the invoice, in a path of another language too", async () => {
  const name = `documents/${invoice.number}.xml`
  expect((await fetched(name, { orderId: bought.id })).status).toBe(200)
  expect((await fetched(`de-de/${name}`, { orderId: bought.id })).status).toBe(200)
})

test.each(["", ".pdf", ".xml"])(
  "nobody else gets the document%s: it is as if it had never been issued",
  async (ending) => {
    const others = await buyPlan(shop, { key: "other" })
    for (const session of [{}, { orderId: others.id, serviceIds: [others.serviceId] }])
      expect((await fetched(`documents/${invoice.number}${ending}`, session)).status).toBe(404)
  },
)

test.each([
  "",
  "9999-000001",
  "9999-000001.pdf",
  "NUMBER.",
  "NUMBER.exe",
  "NUMBER.pdf.xml",
  "..%2FNUMBER.pdf",
  "%22.pdf",
  "NUMBER%0d%0a.pdf",
])("there is no document at %j", async (name) => {
  const session = { orderId: bought.id }
  expect((await fetched(`documents/${name.replace("NUMBER", invoice.number)}`, session)).status).toBe(404)
})

test("the receipt on the buyer's page leads to the invoice, in the language of the page", async () => {
  const page = await (
    await fetched(`de-de/success.data?receipt=${bought.id}`, customerSession(shop, bought))
  ).text()
  expect(page).toContain(`Rechnung ${invoice.number}"`)
  expect(page).toContain(`/checkout/de-de/documents/${invoice.number}"`)
  expect(page).toContain(`Rechnung ${invoice.number} (PDF)`)
  expect(page).toContain(`/checkout/de-de/documents/${invoice.number}.pdf`)
})

test("a signed-in customer downloads the documents of their own orders alone", async () => {
  const other = await buyPlan(shop, { key: "other", choices: { ...choice, email: "eva@example.test" } })
  const [foreign] = await shop.services.documents.taxDocumentsOf(other.id)
  expect((await fetched(`documents/${invoice.number}.pdf`, customerSession(shop, bought))).status).toBe(200)
  expect((await fetched(`documents/${foreign?.number}.pdf`, customerSession(shop, bought))).status).toBe(404)
})
