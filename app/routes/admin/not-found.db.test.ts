import { afterEach, beforeEach, expect, test } from "vitest"
import { enrolled } from "../../../tests/fixtures/console"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const paths = [
  "/admin/ordres",
  "/admin/catalogue/products/1/none",
  // The addresses to which forms that download a file are sent.
  "/admin/orders/export",
  "/admin/customers/export",
  "/admin/services/export",
]

test.each(paths)(
  "an operator reads at %s that nothing is there, in the console and with its menu",
  async (path) => {
    const response = await (await enrolled(shop, "viewer")).request({ path })
    const page = await response.text()
    expect([response.status, page]).toEqual([404, expect.stringContaining("Nothing is here")])
    expect(page).toContain('href="/checkout/admin/orders"')
  },
)

test("another visitor is led from there to the sign-in, and without an operator finds no console", async () => {
  const [path = ""] = paths
  expect((await respond(shop.services, { path })).status).toBe(404)
  await enrolled(shop, "owner")
  const response = await respond(shop.services, { path })
  const { pathname, searchParams } = new URL(response.headers.get("location") ?? "", "https://shop.test")
  expect([response.status, pathname, searchParams.get("to")]).toEqual([303, "/checkout/admin/sign-in", path])
})
