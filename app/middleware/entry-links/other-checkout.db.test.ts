import { afterEach, beforeEach, expect, test } from "vitest"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

async function ledTo(path: string, services = shop.services) {
  const { status, headers } = await respond(services, { path })
  return [status, headers.get("location")]
}

test.each([
  ["a reseller plan", "/?pid=11&promocode=SOMMER&utm=a", "/checkout/resellers?pid=11&promocode=SOMMER&utm=a"],
  ["a reseller plan, in German", "/de-de?pid=11", "/checkout/de-de/resellers?pid=11"],
  [
    "a plan for viewers",
    "/resellers?pid=3&email=ana%2Btv@example.test",
    "/checkout/?pid=3&email=ana%2Btv%40example.test",
  ],
  ["a plan for viewers, in Spanish", "/es-es/resellers?pid=3", "/checkout/es-es?pid=3"],
])(
  "a link with %s to the other checkout leads to the one that sells it, with its query",
  async (_, path, to) => {
    expect(await ledTo(path)).toEqual([303, to])
  },
)

test.each([
  ["a plan of this checkout", "/?pid=3", "/checkout/"],
  ["a reseller plan of this checkout", "/resellers?pid=11", "/checkout/resellers"],
  ["a product that the shop does not know", "/?pid=999", "/checkout/"],
  ["another page than a checkout", "/offline?pid=11", "/checkout/offline"],
])("a link with %s stays on its page", async (_, path, to) => {
  expect(await ledTo(path)).toEqual([303, to])
})

test("a link with a reseller plan that is not sold any more stays on its page, which says so", async () => {
  const hidden = async () =>
    (await shop.billing.billing.resellerPlans()).map((product) => ({ ...product, isHidden: true }))
  const catalogue = { ...shop.services.catalogue, resellerPlans: hidden }
  expect(await ledTo("/?pid=11", { ...shop.services, catalogue })).toEqual([303, "/checkout/"])
})

test("an automatic order of a plan for viewers is placed from the resellers' page, too", async () => {
  const link = "pid=3&email=ana@example.test&auto_redirect=true"
  expect(await ledTo(`/resellers?${link}`)).toEqual([303, `/checkout/?${link.replace("@", "%40")}`])
})
