import { afterEach, expect, test } from "vitest"
import { type ListShape, listShapes } from "./responses"
import { startWhmcs, type Whmcs, type WhmcsOptions } from "./start"
import { callsTo } from "./test-client"

let whmcs: Whmcs
afterEach(() => whmcs.close())

async function started(options: WhmcsOptions = {}) {
  whmcs = await startWhmcs(options)
  return callsTo(whmcs)
}

test("an action is accepted in any case, under any path and with either pair of credential fields", async () => {
  const { call } = await started({ path: "/billing" })
  expect(whmcs.url).toMatch(/\/billing$/)
  expect(await call("getpaymentmethods")).toMatchObject({ result: "success" })
  const { identifier, secret } = whmcs.settings
  const pair = { identifier: "", secret: "", username: identifier, password: secret }
  expect(await call("GETPAYMENTMETHODS", pair)).toMatchObject({ result: "success" })
})

test("an error has the same status as a success and differs in the body only", async () => {
  const { post } = await started()
  const response = await post({ action: "GetInvoice", invoiceid: 1 })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ result: "error", message: "Invoice ID Not Found" })
})

test.each([
  ["another secret", { secret: "x" }, {}, "Invalid or missing credentials"],
  ["credentials that are refused", {}, { credentials: true }, "Invalid or missing credentials"],
  ["an address that is not listed", {}, { address: true }, "Invalid IP 127.0.0.1"],
  [
    "an action that is not allowed",
    {},
    { actions: ["GetProducts"] },
    'Invalid Permissions: API action "getproducts" is not allowed',
  ],
])("api.php responds with 403 to %s", async (_, fields, deny, message) => {
  const { post } = await started()
  Object.assign(whmcs.quirks.deny, deny)
  const response = await post({ action: "GetProducts", ...fields })
  expect(response.status).toBe(403)
  expect(await response.json()).toEqual({ result: "error", message })
  whmcs.quirks.reset()
  expect((await post({ action: "GetProducts" })).status).toBe(200)
})

test("an access key replaces the address allow list", async () => {
  const { call } = await started({ accessKey: "open(sesame)" })
  expect(await call("GetProducts")).toMatchObject({ message: "Invalid IP 127.0.0.1" })
  expect(await call("GetProducts", { accesskey: "open(sesame)" })).toMatchObject({ result: "success" })
})

const twoGateways = [
  { module: "offshore", displayname: "Offshore" },
  { module: "btcpay", displayname: "Btcpay" },
]
test.each<[ListShape, unknown, unknown]>([
  ["array", { paymentmethod: twoGateways }, { product: [] }],
  ["numeric-keys", { paymentmethod: { 0: twoGateways[0], 1: twoGateways[1] } }, { product: [] }],
  ["bare", { paymentmethod: twoGateways }, { product: [] }],
  ["empty-object", { paymentmethod: twoGateways }, { product: {} }],
  ["empty-string", { paymentmethod: twoGateways }, { product: "" }],
  ["null", { paymentmethod: twoGateways }, { product: null }],
  ["absent", { paymentmethod: twoGateways }, {}],
  ["all-empty-string", { paymentmethod: twoGateways }, ""],
])("a list can be serialized as %s", async (shape, two, none) => {
  const { call } = await started({ gateways: ["offshore", "btcpay"] })
  whmcs.quirks.lists = shape
  expect(listShapes).toContain(shape)
  expect((await call("GetPaymentMethods")).paymentmethods).toEqual(two)
  expect((await call("GetProducts", { pid: 99 })).products).toEqual(none)
})

test("a list of one can be the element alone, and some responses can have flattened keys", async () => {
  const { call } = await started({ gateways: ["offshore"] })
  whmcs.quirks.lists = "bare"
  expect((await call("GetPaymentMethods")).paymentmethods).toEqual({ paymentmethod: twoGateways[0] })
  whmcs.quirks.lists = "flattened"
  expect(await call("GetCurrencies")).toMatchObject({
    "currencies[currency][0][code]": "EUR",
    "currencies[currency][2][rate]": "1.00000",
  })
})

test("a number can be serialized as a number or a text", async () => {
  const { call } = await started()
  const pid = async () => (await call("GetProducts", { pid: 1 })).products.product[0].pid
  expect(await pid()).toBe(1)
  whmcs.quirks.numbers = "strings"
  expect(await pid()).toBe("1")
  whmcs.quirks.numbers = "numbers"
  expect((await call("GetCurrencies")).currencies.currency[0].id).toBe(1)
})

test("the response can be an HTML page, have a warning before the JSON, or be XML unless JSON is requested", async () => {
  const { post } = await started()
  whmcs.quirks.html = "page"
  expect(await (await post({ action: "GetProducts" })).text()).toMatch(/^<!DOCTYPE html>/)
  whmcs.quirks.html = "warning"
  expect(await (await post({ action: "GetProducts" })).text()).toMatch(/^<br \/>\n<b>Warning<\/b>.*\n\{/)
  whmcs.quirks.reset()
  const xml = await (await post({ action: "GetCurrencies", responsetype: "xml" })).text()
  expect(xml).toContain("<result>success</result>")
})

test("an action with a dropped response is processed once; an installation that is down processes nothing", async () => {
  const { call } = await started()
  const fields = { email: "ana@example.test", password2: "tango", skipvalidation: true }
  whmcs.quirks.down = true
  await expect(call("AddClient", fields)).rejects.toThrow()
  expect(whmcs.clients).toHaveLength(0)
  whmcs.quirks.reset()
  whmcs.quirks.dropResponse("AddClient")
  await expect(call("AddClient", fields)).rejects.toThrow()
  expect(whmcs.clients).toMatchObject([{ email: "ana@example.test" }])
  expect(await call("AddClient", fields)).toMatchObject({
    message: "A user already exists with that email address",
  })
})

test("every call is recorded without credentials, and responses contain the installation's time", async () => {
  const { post } = await started({ now: () => Date.UTC(2026, 5, 15, 12) })
  const response = await post({ action: "GetProducts", pid: 1 })
  expect(response.headers.get("date")).toBe("Mon, 15 Jun 2026 12:00:00 GMT")
  expect(whmcs.calls).toEqual([{ action: "GetProducts", params: { pid: "1" } }])
})
