import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import { enrolled } from "../../../tests/fixtures/console"
import { documentPolicy } from "../../../tests/fixtures/document-policy"
import { buy, pay } from "../../../tests/fixtures/purchase"
import { customerSession } from "../../../tests/fixtures/session-harness"
import { respond } from "../../../tests/fixtures/shop-router"
import { germanTax } from "../../../tests/fixtures/tax-rules"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let order: Order
beforeEach(async () => {
  shop = await openTestShop({ tax: germanTax, documents: documentPolicy })
  order = (await buy(shop)).order
})
afterEach(() => shop.billing.close())

const fetched = (path: string, session = {}) =>
  respond(shop.services, { path: `/${path}`, session: { sealedAt: shop.services.now(), ...session } })

const proforma = (ending = "") => `documents/proforma/${order.id}${ending}`

test("the buyer reads the proforma of an unpaid order as a page that says what it is, with its PDF and no XML", async () => {
  const response = await fetched(proforma(), { orderId: order.id })
  expect(response.status).toBe(200)
  expect(response.headers.get("cache-control")).toContain("no-store")
  const page = await response.text()
  expect(page).toContain(`>Pro forma invoice ${order.id}</h1>`)
  expect(page).toContain("This is not an invoice.")
  expect(page).toContain(`href="${order.id}.pdf"`)
  expect(page).not.toContain(".xml")
  expect((await fetched(proforma(), customerSession(shop, order))).status).toBe(200)
})

test("the PDF of a proforma is a file that nobody takes for an invoice by its name", async () => {
  const response = await fetched(proforma(".pdf"), { orderId: order.id })
  expect(response.headers.get("content-type")).toBe("application/pdf")
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="proforma-${order.id}.pdf"`)
  expect((await response.text()).startsWith("%PDF-1.7")).toBe(true)
})

test.each(["", ".pdf", ".xml"])(
  "nobody else gets the proforma%s: it is as if there were no order",
  async (ending) => {
    const other = await buy(shop, { key: "other", choices: { ...choice, email: "eva@example.test" } })
    for (const session of [{}, { orderId: other.order.id }, customerSession(shop, other.order)])
      expect((await fetched(proforma(ending), session)).status).toBe(404)
  },
)

test.each(["documents/proforma/none", "documents/proforma/ORDER.xml", "documents/proforma/ORDER.exe"])(
  "there is nothing at %s",
  async (path) => {
    const response = await fetched(path.replace("ORDER", order.id), { orderId: order.id })
    expect(response.status).toBe(404)
  },
)

test("once the order is paid its proforma leads to the invoice", async () => {
  await pay(shop, order)
  const [invoice] = await shop.services.documents.taxDocumentsOf(order.id)
  const page = await fetched(proforma(), { orderId: order.id })
  expect([page.status, page.headers.get("location")]).toEqual([302, `/checkout/documents/${invoice?.number}`])
  const pdf = await fetched(`de-de/${proforma(".pdf")}`, { orderId: order.id })
  expect(pdf.headers.get("location")).toBe(`/checkout/de-de/documents/${invoice?.number}.pdf`)
  expect((await fetched(proforma())).status).toBe(404)
})

test.each(["aborted", "deadlinePassed"] as const)(
  "the proforma of an order that ended with %s leads to the order's page",
  async (event) => {
    await shop.services.billing.applyOrderEvent(order.id, event, shop.services.now() + DAY)
    const response = await fetched(proforma(), { orderId: order.id })
    expect(response.status).toBe(302)
    expect(response.headers.get("location")).toBe(`/checkout/success?order=${order.id}`)
  },
)

test("the waiting page of an unpaid order leads to its proforma, in the language of the page", async () => {
  const page = await (await fetched("de-de/waiting.data", { orderId: order.id })).text()
  expect(page).toContain(`"/checkout/de-de/${proforma()}"`)
  expect(page).toContain("Proforma-Rechnung")
})

test("a shop that taxes nothing has no proforma, and its waiting page names none", async () => {
  const untaxed = await openTestShop()
  const { id } = (await buy(untaxed)).order
  const session = { sealedAt: untaxed.services.now(), orderId: id }
  const page = await respond(untaxed.services, { path: "/waiting.data", session })
  const shown = await page.text()
  expect(shown).toContain(id)
  expect(shown).not.toContain("documents/proforma")
  const document = await respond(untaxed.services, { path: `/documents/proforma/${id}`, session })
  expect(document.status).toBe(404)
  await untaxed.billing.close()
})

test("the console has the proforma of an unpaid order as page and PDF, for who may see whose it is", async () => {
  const owner = await enrolled(shop, "owner")
  const address = `/admin/orders/${order.id}`
  const page = await (await owner.request({ path: address })).text()
  expect(page).toContain(`href="/checkout${address}/documents/proforma"`)
  const document = await owner.request({ path: `${address}/documents/proforma` })
  expect([document.status, await document.text()]).toEqual([
    200,
    expect.stringContaining('href="proforma.pdf"'),
  ])
  expect((await owner.request({ path: `${address}/documents/proforma.pdf` })).status).toBe(200)
  expect((await owner.request({ path: `${address}/documents/proforma.xml` })).status).toBe(404)
  const viewer = await enrolled(shop, "viewer")
  expect((await viewer.request({ path: `${address}/documents/proforma` })).status).toBe(404)
  await pay(shop, order)
  expect((await owner.request({ path: `${address}/documents/proforma` })).status).toBe(404)
})
