import { afterEach, beforeEach, expect, test } from "vitest"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const selection = {
  intent: "pay",
  plan: "3",
  gateway: "offshore",
  extraConnection: "on",
  shown: String(TOTAL),
}

function paying(form: Record<string, string>): Promise<Response> {
  const services = { ...shop.services, shop: { ...shop.services.shop, mailSender: "shop@example.test" } }
  return respond(services, { path: "/", form: { ...selection, ...form } })
}

test.each([
  ["as it is", "ana,bea@example.test"],
  ["with marks around it, which are left out", "<ana,bea@example.test>,"],
])("a buyer keeps an e-mail that no mail server takes by a second press, typed %s", async (_, email) => {
  expect((await paying({ email })).status).toBe(422)
  const kept = await paying({ email, keptEmail: email })
  expect(kept.status).toBe(303)
  expect(kept.headers.get("location")).toContain("/creatingOrder")
})
