import { afterEach, beforeEach, expect, test } from "vitest"
import { type ApiShop, openApiShop } from "../../../tests/fixtures/api-client"

let shop: ApiShop
let ana: { userid: string; token: string }
beforeEach(async () => {
  shop = await openApiShop()
  ana = await shop.customer("ana@example.test")
})
afterEach(() => shop.close())

/** A year, without anything besides. */
const year = { pid: "3", amount: "79.00", currency: "EUR", paymentmethod: "offshore", ip: "203.0.113.7" }

const order = (request: object = {}, token = ana.token) =>
  shop.call("order", { ...year, userid: ana.userid, key: "KEY1", ...request }, { token })

test.each(["79", "79.0", "79.00", "79.000"])("%s is what it costs, too", async (amount) => {
  expect((await order({ amount })).status).toBe(200)
})

test.each([
  ["a list", { configoptions: "[1]" }],
  ["a map in a map", { configoptions: '{"2":{"qty":1}}' }],
  ["an object of PHP's", { configoptions: Buffer.from('O:8:"stdClass":0:{}').toString("base64") }],
  ["a choice that nobody has", { configoptions: '{"2":"many"}' }],
  ["no amount", { amount: "" }],
  ["an affiliate that is none", { affid: "one" }],
])("an order with %s is not understood", async (_, request) => {
  const { status, body } = await order(request)
  expect([status, body.error]).toMatchObject([400, { code: "bad-request" }])
  expect(await shop.services.billing.orderByIdempotencyKey("KEY1")).toBeNull()
})

test("the line is reached by what the order says in the fields of its product", async () => {
  const { body: fields } = await shop.call("getProductCustomFields", { id: "3" })
  const customfields = JSON.stringify({ [String(fields.Username)]: "TVANA", [String(fields.Password)]: "77" })
  const { body } = await order({ customfields })
  expect(await shop.services.billing.service(String(body.serviceids))).toMatchObject({
    ...{ username: "TVANA", password: "77" },
  })
})

test("an older caller gets the link with the order, and is told when it is suspicious", async () => {
  const { body } = await order({ key: "" })
  expect(body.link).toMatch(/^https:\/\/pay\.test\//)
  const unwelcome = { kind: "address", value: year.ip, reason: null, at: shop.services.now() } as const
  await shop.billing.operator.block(unwelcome)
  expect((await order({ key: "" })).body).toMatchObject({ fraud: true, status: "Fraud", link: "" })
  expect((await shop.call("checkFraud", { ip: year.ip })).body).toEqual({ valid: false })
  expect((await order({ key: "KEY2" })).body).toMatchObject({ fraud: false })
})

test("an invoice tells how its order stands, by its number or its key", async () => {
  const { body } = await order()
  const by = async (request: object) =>
    (await shop.call("invoice", { ...request }, { token: ana.token })).body
  expect(await by({ key: "KEY1" })).toMatchObject({ invoiceid: body.invoiceid, received: "0.00" })
  expect(await by({ invoiceid: String(body.invoiceid) })).toMatchObject({ orderid: body.orderid })
  expect(await by({})).toMatchObject({ error: { code: "bad-request" } })
})

test.each(["cancelOrder", "fraudOrder"] as const)("%s ends an unpaid order, once and again", async (name) => {
  const { body } = await order()
  const end = () => shop.call(name, { orderid: String(body.orderid) }, { token: ana.token })
  expect([(await end()).status, (await end()).status]).toEqual([200, 200])
  const { body: after } = await shop.call("invoice", { key: "KEY1" }, { token: ana.token })
  expect(after.status).toBe(name === "cancelOrder" ? "Cancelled" : "Fraud")
})

test("another customer's order cannot be ended, and one that is paid by nobody", async () => {
  const { body } = await order()
  const request = { orderid: String(body.orderid) }
  const bob = await shop.customer("bob@example.test")
  expect((await shop.call("cancelOrder", request, { token: bob.token })).status).toBe(404)
  await shop.services.billing.applyOrderEvent(request.orderid, "paid", shop.services.now())
  const { status, body: refused } = await shop.call("cancelOrder", request, { token: ana.token })
  expect([status, refused.error]).toMatchObject([409, { code: "conflict" }])
})
