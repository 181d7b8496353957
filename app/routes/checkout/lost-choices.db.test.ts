import { afterEach, beforeEach, expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const pressed = { intent: "pay", plan: "3", email: choice.email ?? "", gateway: "offshore" }

test("a browser that takes no cookies comes back to a checkout that says so", async () => {
  const sent = await respond(shop.services, { path: "/de-de", form: pressed })
  expect(sent.headers.get("location")).toBe("/checkout/de-de/creatingOrder")
  const { headers } = await respond(shop.services, { path: "/de-de/creatingOrder" })
  expect(headers.get("location")).toBe("/checkout/de-de?lost")
  const reviewed = { draft: "draft-1", total: "7900" }
  const ordered = await respond(shop.services, { path: "/de-de/creatingOrder", form: reviewed })
  expect(ordered.headers.get("location")).toBe("/checkout/de-de?lost")
  const page = await respond(shop.services, { path: "/de-de.data?lost" })
  expect(await page.text()).toContain("checkout.lost")
})

test("a browser that has a session comes back without a word, with its choices", async () => {
  const session = { ...emptySession, id: "s1", sealedAt: shop.services.now(), choices: choice }
  const { headers } = await respond(shop.services, { path: "/creatingOrder", session })
  expect(headers.get("location")).toBe("/checkout/")
  const page = await (await respond(shop.services, { path: "/_root.data", session })).text()
  expect(page).not.toContain("checkout.lost")
})
