import { afterEach, beforeEach, expect, test } from "vitest"
import type { Order } from "~/domain/orders/order"
import { enrolled } from "../../../../tests/fixtures/console"
import { documentPolicy } from "../../../../tests/fixtures/document-policy"
import { buyPlan } from "../../../../tests/fixtures/purchase"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
let bought: Order
beforeEach(async () => {
  shop = await openTestShop({ tax: germanTax, documents: documentPolicy })
  bought = await buyPlan(shop)
})
afterEach(() => shop.billing.close())

const pageOf = ({ id }: Order) => `/admin/orders/${id}`
const fileOf = (order: Order, name: string) => `${pageOf(order)}/documents/${name}`

test.each(["owner", "support"] as const)(
  "the page of an order lists its invoice, and %s downloads it as PDF and XML",
  async (role) => {
    const operator = await enrolled(shop, role)
    const page = await (await operator.request({ path: pageOf(bought) })).text()
    expect(page).toContain("Invoice 2026-000001")
    for (const [form, type] of [
      ["pdf", "application/pdf"],
      ["xml", "application/xml; charset=utf-8"],
    ] as const) {
      expect(page).toContain(`/checkout${fileOf(bought, `2026-000001.${form}`)}`)
      const response = await operator.request({ path: fileOf(bought, `2026-000001.${form}`) })
      expect([response.status, response.headers.get("content-type")]).toEqual([200, type])
      expect(response.headers.get("cache-control")).toContain("no-store")
    }
  },
)

test("an operator reads the invoice as a page in the buyer's language, which leads back to the order", async () => {
  const operator = await enrolled(shop, "support")
  const list = await (await operator.request({ path: pageOf(bought) })).text()
  expect(list).toContain(`href="/checkout${fileOf(bought, "2026-000001")}"`)
  const response = await operator.request({ path: fileOf(bought, "2026-000001") })
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
  const page = await response.text()
  expect(page).toContain(">Invoice 2026-000001</h1>")
  expect(page).toContain(`href="/checkout${pageOf(bought)}"`)
})

test("a viewer, who sees no whole e-mail, neither sees nor downloads documents", async () => {
  const viewer = await enrolled(shop, "viewer")
  const page = await (await viewer.request({ path: pageOf(bought) })).text()
  expect(page).not.toContain("2026-000001")
  for (const name of ["2026-000001", "2026-000001.pdf"])
    expect((await viewer.request({ path: fileOf(bought, name) })).status).toBe(404)
})

test("an order has no document of another one, nor one that was never issued", async () => {
  const owner = await enrolled(shop, "owner")
  const other = await buyPlan(shop, { key: "other" })
  for (const name of ["2026-000002.pdf", "2026-999999.pdf", "2026-000001.exe", "x"])
    expect((await owner.request({ path: fileOf(bought, name) })).status).toBe(404)
  expect((await owner.request({ path: fileOf(other, "2026-000002.pdf") })).status).toBe(200)
})
