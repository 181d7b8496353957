import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { PromotionRefusedError } from "~/billing/billing"
import { phpSerialize } from "~/http/php-serialize"
import { type ApiShop, openApiShop } from "../../../tests/fixtures/api-client"
import { NOON } from "../../../tests/fixtures/test-shop"

let shop: ApiShop
let ana: Awaited<ReturnType<ApiShop["customer"]>>
beforeEach(async () => {
  shop = await openApiShop()
  ana = await shop.customer("ana@example.test")
})
afterEach(() => shop.close())

type CallParams = Parameters<ApiShop["call"]>[1]

/** Parameters of an order of the annual plan; `extra` adds an extra connection. */
const year = { pid: "3", paymentmethod: "offshore", amount: "98.90", currency: "EUR", ip: "192.0.2.9" }
const extra = { ...year, configoptions: '{"2":"5"}' }

const order = (params: CallParams = {}, token = ana.token) =>
  shop.call("order", { userid: ana.userid, ...extra, ...params }, { token })
const php = (map: Record<string, string>) =>
  Buffer.from(phpSerialize(new Map(Object.entries(map)))).toString("base64")

test("order places a plan at its price and returns a payment link", async () => {
  const { status, body } = await order()
  expect([status, body]).toMatchObject([
    200,
    { result: "success", status: "Unpaid", fraud: false, total: "98.90", currency: "EUR" },
  ])
  expect(body.link).toMatch(/^https:\/\/pay\.test\//)
  const stored = await shop.services.billing.order(String(body.orderid))
  expect(stored).toMatchObject({ kind: "plan", customerId: ana.userid, invoiceId: body.invoiceid })
  const service = await shop.services.billing.service(String(body.serviceids))
  expect(service).toMatchObject({ status: "Pending", connections: 2, proxyProtection: false })
})

test("no step of an order of another storefront is counted", async () => {
  const { body } = await order()
  expect(await shop.services.billing.order(String(body.orderid))).toMatchObject({ isUncounted: true })
  await shop.services.stepCounter.flush()
  expect(await shop.services.steps.steps("2026-11-20", "2026-11-20")).toEqual([])
})

test.each<[string, CallParams]>([
  ["JSON", { customfields: '{"11":"TVANA2345","12":"0123456789"}' }],
  [
    "JSON with numbers and booleans",
    { configoptions: '{"2":1,"4":false}', customfields: '{"11":"TVANA2345"}' },
  ],
  [
    "base64-encoded PHP arrays",
    { configoptions: php({ 2: "5" }), customfields: php({ 11: "TVANA2345", 12: "0123456789" }) },
  ],
  ["separate parameters", { username: "TVANA2345", password: "0123456789" }],
])("order reads extras and credentials from %s", async (_, params) => {
  const { body } = await order(params)
  const service = await shop.services.billing.service(String(body.serviceids))
  expect(service).toMatchObject({ username: "TVANA2345", connections: 2, proxyProtection: false })
})

test.each<[string, CallParams, number, string]>([
  ["another amount", { amount: "98.91" }, 409, "price-changed"],
  ["an amount of zero", { amount: "0.00" }, 409, "price-changed"],
  ["the price without the extra", { amount: "79.00" }, 409, "price-changed"],
  ["the price in another currency", { currency: "GBP" }, 409, "price-changed"],
  ["a fraction of a cent", { amount: "98.901" }, 400, "bad-request"],
  ["no amount", { amount: "" }, 400, "bad-request"],
  ["an unknown plan", { pid: "99" }, 404, "not-found"],
  ["a billing cycle without a price", { billingcycle: "monthly" }, 422, "not-available"],
  ["an unknown promo code", { promocode: "NOBODY" }, 422, "not-available"],
  ["an unknown option", { configoptions: '{"99":"1"}' }, 400, "bad-request"],
  ["an unknown choice", { configoptions: '{"2":"99"}' }, 400, "bad-request"],
  ["truncated configoptions", { configoptions: '{"2":' }, 400, "bad-request"],
  ["a list as configoptions", { configoptions: "[1]" }, 400, "bad-request"],
  ["unreadable custom fields", { customfields: "AAAA" }, 400, "bad-request"],
  ["a username with spaces", { customfields: '{"11":"a b"}' }, 400, "bad-request"],
  ["an unknown payment method", { paymentmethod: "cheque" }, 400, "bad-request"],
  ["a payment method that is not offered", { paymentmethod: "btcpay" }, 422, "not-available"],
  ["an invalid affiliate id", { affid: "one" }, 400, "bad-request"],
  ["an invalid IP address", { ip: "1.2.3" }, 400, "bad-request"],
])("order rejects %s and writes nothing", async (_, params, status, code) => {
  const refused = await order({ key: "one", ...params })
  expect([refused.status, refused.body]).toMatchObject([status, { result: "error", error: { code } }])
  expect(await shop.services.billing.orderByIdempotencyKey("one")).toBeNull()
})

test("order applies a promo code and rejects the undiscounted amount", async () => {
  const { status, body } = await order({ amount: "83.9", promocode: "YEAR15" })
  expect([status, body.total]).toEqual([200, "83.90"])
  expect((await order({ amount: "98.90", promocode: "YEAR15" })).status).toBe(409)
})

test("order is idempotent per key, also for concurrent requests", async () => {
  const responses = await Promise.all(Array.from({ length: 5 }, () => order({ key: "one" })))
  expect(new Set(responses.map(({ body }) => body.orderid)).size).toBe(1)
  const without = [await order(), await order()]
  expect(new Set([...responses, ...without].map(({ body }) => body.orderid)).size).toBe(3)
})

test("order and invoice do not return another customer's order by its idempotency key", async () => {
  await order({ key: "one" })
  const bob = await shop.customer("bob@example.test")
  const taken = await order({ key: "one", userid: bob.userid }, bob.token)
  expect(taken.body.error).toMatchObject({ code: "idempotency-key-conflict" })
  expect((await shop.call("invoice", { key: "one" }, { token: bob.token })).status).toBe(404)
  expect((await order({}, bob.token)).status).toBe(403)
})

test("order and addInvoice answer a key of another plan or of another kind of order with a conflict", async () => {
  const { body } = await order({ key: "one" })
  const another = await order({ key: "one", pid: "1", amount: "12.00", configoptions: "" })
  expect([another.status, another.body.error]).toMatchObject([409, { code: "idempotency-key-conflict" }])
  const more = { userid: ana.userid, paymentmethod: "offshore", extraQuantity: 1, price: "19.90", key: "one" }
  const upsell = await shop.call(
    "addInvoice",
    { ...more, serviceId: String(body.serviceids) },
    { token: ana.token },
  )
  expect([upsell.status, upsell.body.error]).toMatchObject([409, { code: "idempotency-key-conflict" }])
  expect((await order({ key: "one" })).body.orderid).toBe(body.orderid)
})

test("order from a blocked IP address is put on hold without a payment link", async () => {
  const block = { kind: "address", value: year.ip, reason: "chargebacks", at: NOON } as const
  await shop.billing.operator.block(block)
  expect((await shop.call("checkFraud", { ip: year.ip })).body).toEqual({ valid: false })
  expect((await shop.call("checkFraud", { ip: "192.0.2.10" })).body).toEqual({ valid: true })
  const { body } = await order()
  expect(body).toMatchObject({ result: "success", fraud: true, status: "Fraud", link: "" })
  const request = { invoice: String(body.invoiceid), amount: "98.90", currency: "EUR" }
  const link = await shop.call("offshore", request, { token: ana.token })
  expect([link.status, link.body.error]).toMatchObject([409, { code: "conflict" }])
})

test("order accepts a reseller plan as a one-element pid list", async () => {
  const request = { pid: "", "pid[]": "11", configoptions: "", amount: "49.00", kind: "reseller" }
  const { status, body } = await order(request)
  expect([status, body.total]).toEqual([200, "49.00"])
  expect(await shop.services.billing.order(String(body.orderid))).toMatchObject({ kind: "reseller" })
})

test("order of a line requires a reseller and a zero amount, uses one credit and is idempotent per key", async () => {
  const line = { kind: "line", amount: "0.00", configoptions: "", key: "LINE1" }
  expect((await order(line)).body.error).toMatchObject({ code: "refused" })

  await becomeReseller()
  const made = await order(line)
  expect(made.body).toMatchObject({ status: "Paid", total: "0.00", link: "" })
  expect((await order(line)).body.orderid).toBe(made.body.orderid)
  const { balance } = await shop.services.billing.resellerCredits({ id: ana.userid, reach: "account" }, 10)
  expect(balance).toBe(9)
  const priced = await order({ ...line, key: "LINE2", amount: "1.00" })
  expect(priced.body.error).toMatchObject({ code: "price-changed" })
})

test("order of a line is refused for another billing cycle than its plan has, since a credit pays for one cycle", async () => {
  await becomeReseller()
  const line = { kind: "line", amount: "0.00", configoptions: "" }
  const longer = await order({ ...line, billingcycle: "triennially" })
  expect([longer.status, longer.body.error]).toMatchObject([422, { code: "not-available" }])
  const made = await order({ ...line, billingcycle: "annually" })
  expect(await shop.services.billing.service(String(made.body.serviceids))).toMatchObject({
    cycle: "annually",
  })
})

async function becomeReseller(): Promise<void> {
  const bought = await order({ pid: "", "pid[0]": "11", configoptions: "", amount: "49.00" })
  await shop.call("moduleCreate", { serviceid: String(bought.body.serviceids) }, { token: ana.token })
}

test("order names a promo code that the customer has used as often as one person may", async () => {
  const { operator } = shop.billing
  const file = await operator.exportCatalogue()
  const promotions = file.promotions.map((it) => (it.code === "WELCOME10" ? { ...it, usesPerPerson: 1 } : it))
  await operator.importCatalogue({ ...file, promotions })
  const cheaper = { promocode: "WELCOME10", amount: "89.01" }
  expect((await order(cheaper)).status).toBe(200)
  const again = await order(cheaper)
  expect([again.status, again.body.error]).toMatchObject([422, { code: "promo-code-used" }])
})

test("order names a promo code that billing does not take for it", async () => {
  const refused = new PromotionRefusedError("by-billing", "WELCOME10")
  vi.spyOn(shop.services.billing, "placeOrder").mockRejectedValue(refused)
  const { status, body } = await order({ promocode: "WELCOME10", amount: "89.01" })
  expect([status, body.error]).toMatchObject([422, { code: "promo-code-refused" }])
})
