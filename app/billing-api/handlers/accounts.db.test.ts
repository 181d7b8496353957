import { afterEach, beforeEach, expect, test } from "vitest"
import { type ApiShop, openApiShop } from "../../../tests/fixtures/api-client"

let shop: ApiShop
beforeEach(async () => {
  shop = await openApiShop()
})
afterEach(() => shop.close())

test("auth with the id of a customer gives that customer's token, whatever the email is by now, and creates nobody", async () => {
  const ana = await shop.customer("ana@example.test")
  const { body } = await shop.call("auth", { email: "former@example.test", userid: ana.userid })
  expect(body).toMatchObject({ userid: ana.userid, email: "ana@example.test" })
  const list = await shop.call("getClientProducts", { clientid: ana.userid }, { token: String(body.token) })
  expect(list.status).toBe(200)
  expect(await shop.services.billing.customerOf("former@example.test")).toBeNull()
})

test("auth responds 404 to an unknown id and creates nobody", async () => {
  const { status, body } = await shop.call("auth", { email: "ana@example.test", userid: "nobody" })
  expect([status, body.error]).toMatchObject([404, { code: "not-found" }])
  expect(await shop.services.billing.customerOf("ana@example.test")).toBeNull()
})
