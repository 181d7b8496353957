import { afterEach, beforeEach, expect, test } from "vitest"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

/** The data of a page. */
async function dataOf(path: string, services = shop.services): Promise<string> {
  const response = await respond(services, { path })
  return response.text()
}

test("who buys a plan reads before paying that it does not renew by itself", async () => {
  expect(await dataOf("/_root.data")).toContain(
    "It doesn’t renew by itself. You can change everything until you pay.",
  )
  expect(await dataOf("/de-de.data")).toContain("Es verlängert sich nicht von selbst.")
})

test("nothing is said of renewing where another system decides on it, nor of reseller credits", async () => {
  const external = { ...shop.services, shop: { ...shop.services.shop, terms: null } }
  for (const data of [await dataOf("/_root.data", external), await dataOf("/resellers.data")]) {
    expect(data).toContain("You can change everything until you pay.")
    expect(data).not.toContain("renew by itself")
  }
})
