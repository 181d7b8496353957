import { afterEach, beforeEach, expect, test } from "vitest"
import { type ApiShop, openApiShop } from "../../../tests/fixtures/api-client"

let shop: ApiShop
let ana: { userid: string; token: string }
beforeEach(async () => {
  shop = await openApiShop()
  ana = await shop.customer("ana@example.test")
})
afterEach(() => shop.close())

/** Parameters of an order of the annual plan without extras. */
const year = { pid: "3", amount: "79.00", currency: "EUR", paymentmethod: "offshore", ip: "203.0.113.7" }

const order = (request: object = {}, token = ana.token) =>
  shop.call("order", { ...year, userid: ana.userid, key: "KEY1", ...request }, { token })

test.each(["79", "79.0", "79.00", "79.000"])("accepts the amount %s for a price of 79.00", async (amount) => {
  expect((await order({ amount })).status).toBe(200)
})

test.each([
  ["a list as configoptions", { configoptions: "[1]" }],
  ["nested configoptions", { configoptions: '{"2":{"qty":1}}' }],
  ["a PHP object as configoptions", { configoptions: Buffer.from('O:8:"stdClass":0:{}').toString("base64") }],
  ["an unknown choice", { configoptions: '{"2":"many"}' }],
  ["no amount", { amount: "" }],
  ["an invalid affiliate id", { affid: "one" }],
])("order responds 400 to %s and writes nothing", async (_, request) => {
  const { status, body } = await order(request)
  expect([status, body.error]).toMatchObject([400, { code: "bad-request" }])
  expect(await shop.services.billing.orderByIdempotencyKey("KEY1")).toBeNull()
})

test("order takes the line's credentials from the product's custom fields", async () => {
  const { body: fields } = await shop.call("getProductCustomFields", { id: "3" })
  const customfields = JSON.stringify({ [String(fields.Username)]: "TVANA", [String(fields.Password)]: "77" })
  const { body } = await order({ customfields })
  expect(await shop.services.billing.service(String(body.serviceids))).toMatchObject({
    username: "TVANA",
    password: "77",
  })
})

test("order without key returns the payment link and checks for fraud", async () => {
  const { body } = await order({ key: "" })
  expect(body.link).toMatch(/^https:\/\/pay\.test\//)
  const unwelcome = { kind: "address", value: year.ip, reason: null, at: shop.services.now() } as const
  await shop.billing.operator.block(unwelcome)
  expect((await order({ key: "" })).body).toMatchObject({ fraud: true, status: "Fraud", link: "" })
  expect((await shop.call("checkFraud", { ip: year.ip })).body).toEqual({ valid: false })
  expect((await order({ key: "KEY2" })).body).toMatchObject({ fraud: false })
})

test("invoice returns the order's status by invoice id or idempotency key", async () => {
  const { body } = await order()
  const by = async (request: object) =>
    (await shop.call("invoice", { ...request }, { token: ana.token })).body
  expect(await by({ key: "KEY1" })).toMatchObject({ invoiceid: body.invoiceid, received: "0.00" })
  expect(await by({ invoiceid: String(body.invoiceid) })).toMatchObject({ orderid: body.orderid })
  expect(await by({})).toMatchObject({ error: { code: "bad-request" } })
})

test.each(["cancelOrder", "fraudOrder"] as const)(
  "%s ends an unpaid order and is idempotent",
  async (name) => {
    const { body } = await order()
    const end = () => shop.call(name, { orderid: String(body.orderid) }, { token: ana.token })
    expect([(await end()).status, (await end()).status]).toEqual([200, 200])
    const { body: after } = await shop.call("invoice", { key: "KEY1" }, { token: ana.token })
    expect(after.status).toBe(name === "cancelOrder" ? "Cancelled" : "Fraud")
  },
)

test("cancelOrder responds 404 for another customer's order and 409 for a paid one", async () => {
  const { body } = await order()
  const request = { orderid: String(body.orderid) }
  const bob = await shop.customer("bob@example.test")
  expect((await shop.call("cancelOrder", request, { token: bob.token })).status).toBe(404)
  await shop.services.billing.applyOrderEvent(request.orderid, "paid", shop.services.now())
  const { status, body: refused } = await shop.call("cancelOrder", request, { token: ana.token })
  expect([status, refused.error]).toMatchObject([409, { code: "conflict" }])
})
