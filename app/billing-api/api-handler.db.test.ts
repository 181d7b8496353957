import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { BillingError, CustomerRejectedError } from "~/billing/billing"
import { DAY } from "~/domain/calendar"
import { GatewayError } from "~/gateways/gateway"
import { ProvisioningError } from "~/provisioning/provisioner"
import { openApiAccess } from "~/security/api-tokens.server"
import { type ApiShop, openApiShop } from "../../tests/fixtures/api-client"
import { calls } from "./contract/endpoints"

let shop: ApiShop
beforeEach(async () => {
  shop = await openApiShop()
})
afterEach(() => shop.close())

const everyCall = Object.entries(calls)

test.each(everyCall)("%s responds 401 without an API key", async (name) => {
  const { status, body } = await shop.call(name, {}, { key: null })
  expect([status, body]).toEqual([
    401,
    { result: "error", error: { code: "invalid-api-key", message: "Missing or invalid x-api-key" } },
  ])
})

test.each(["", "k", "the key of this shop, which is long enougH", "x".repeat(5_000)])(
  "responds 401 to the wrong API key %j",
  async (key) => {
    expect((await shop.call("getProducts", {}, { key })).status).toBe(401)
  },
)

test("responds 429 with Retry-After after too many wrong API keys", async () => {
  const statuses: number[] = []
  for (let attempts = 0; attempts < 32; attempts++) {
    statuses.push((await shop.call("getProducts", {}, { key: "wrong" })).status)
  }
  expect([...new Set(statuses)]).toEqual([401, 429])
  const late = await shop.call("getProducts", {}, { key: "wrong" })
  expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0)
  expect((await shop.call("getProducts")).status).toBe(200)
})

test.each(everyCall)("%s responds 405 with Allow to the other HTTP method", async (name, { method }) => {
  const other = method === "GET" ? "POST" : "GET"
  const { status, body, headers } = await shop.call(name, {}, { method: other })
  expect([status, body.error]).toMatchObject([405, { code: "method-not-allowed" }])
  expect(headers.get("allow")).toBe(method)
})

test.each(everyCall.filter(([, { owned }]) => owned))(
  "%s responds 401 without a customer token",
  async (name) => {
    const { status, body } = await shop.call(name)
    expect([status, body.error]).toMatchObject([401, { code: "token-required" }])
  },
)

test.each(["nothing", "__proto__", "constructor", "toString", "new_click"])(
  "responds 404 to the unknown endpoint %s",
  async (name) => {
    const { status, body } = await shop.call(name)
    expect([status, body.error]).toMatchObject([404, { code: "unknown-endpoint" }])
  },
)

test("responds 401 to a token of another shop with the same issuer and customer", async () => {
  const { userid } = await shop.customer("ana@example.test")
  const another = openApiAccess({ keys: ["a key of another shop, long enough"], secrets: ["o".repeat(32)] })
  const token = await another.token(userid, shop.services.now())
  const { status, body } = await shop.call("getClientProducts", { clientid: userid }, { token })
  expect([status, body.error]).toMatchObject([401, { code: "token-required" }])
})

test("accepts a customer token for one day and rejects a tampered one", async () => {
  const { userid, token } = await shop.customer("ana@example.test")
  const look = (shown: string) => shop.call("getClientProducts", { clientid: userid }, { token: shown })
  expect((await look(token)).status).toBe(200)
  expect((await look(`${token}x`)).status).toBe(401)
  const other = await openApiShop()
  await other.customer("bob@example.test")
  shop.wait(DAY + 1)
  const { status, body } = await look(token)
  expect([status, body.error]).toMatchObject([401, { message: "Customer token is invalid or expired" }])
  const without = await shop.call("getClientProducts", { clientid: userid })
  expect(without.body.error).toMatchObject({ message: "Customer token is required" })
  await other.close()
})

const owned = [
  ["getClientProducts", "clientid"],
  ["getActiveProducts", "clientid"],
  ["setPassword", "userid"],
] as const

test.each(owned)("%s responds 403 to the token of another customer", async (name, who) => {
  const ana = await shop.customer("ana@example.test")
  const bob = await shop.customer("bob@example.test")
  const request = { [who]: ana.userid, password: "a password of his own" }
  const { status, body } = await shop.call(name, request, { token: bob.token })
  expect([status, body.error]).toMatchObject([403, { code: "forbidden" }])
})

test.each([
  ["getProduct", {}],
  ["getProduct", { pid: "1 or 1=1" }],
  ["getPromotion", { code: "x".repeat(65) }],
  ["checkFraud", {}],
  ["auth", { email: "nobody" }],
  ["auth", { email: "ana@example.test", currency: "XAU" }],
  ["resellerAuth", { email: "ana@example.test" }],
] as const)("%s responds 400 to the invalid parameters %j", async (name, request) => {
  const { status, body } = await shop.call(name, request)
  expect([status, body.error]).toMatchObject([400, { code: "bad-request" }])
})

test("responds 400 to a query parameter that is given twice, and names it", async () => {
  const { status, body } = await shop.call("getProduct?pid=1&pid=2&")
  expect([status, body.error]).toMatchObject([400, { message: "pid: given twice" }])
})

test("names the parameters that are missing, also an amount", async () => {
  const { token, userid } = await shop.customer("ana@example.test")
  const link = await shop.call("offshore", { invoice: userid, amount: "12.00" }, { token })
  expect(link.body.error).toMatchObject({ message: "currency: missing" })
  const { body } = await shop.call("coinbase", { invoiceid: "", currency: "EUR" }, { token })
  expect(body.error).toMatchObject({ message: "invoiceid: missing; amount: missing" })
})

test("treats an empty parameter as missing", async () => {
  const { token, userid } = await shop.customer("ana@example.test")
  const { status, body } = await shop.call(
    "getClientProducts",
    { clientid: userid, serviceid: "" },
    { token },
  )
  expect([status, body.products]).toEqual([200, { product: [] }])
})

test("responds 503 without internal details while the database is unavailable", async () => {
  await shop.billing.close()
  const { status, text, headers } = await shop.call("getProducts")
  expect(status).toBe(503)
  expect(headers.get("cache-control")).toBe("no-store")
  expect(JSON.parse(text)).toEqual({
    result: "error",
    error: { code: "unavailable", message: "Upstream unavailable" },
  })
})

test.each([
  ["billing", new BillingError("unavailable", "busy", { retryAfterSeconds: 120 })],
  ["a gateway", new GatewayError("unavailable", "busy", { retryAfterSeconds: 120 })],
  ["the panel", new ProvisioningError("busy", { retryAfterMs: 119_500 })],
])("responds 503 with the Retry-After that %s asks for", async (_, busy) => {
  vi.spyOn(shop.services.billing, "plans").mockRejectedValue(busy)
  const { status, headers } = await shop.call("getProducts")
  expect([status, headers.get("retry-after")]).toEqual([503, "120"])
})

test("responds 422 customer-rejected to a customer whom billing does not let order, without the reason", async () => {
  vi.spyOn(shop.services.billing, "identify").mockRejectedValue(
    new CustomerRejectedError("Cannot place order: WHMCS client 7 is closed"),
  )
  const { status, body } = await shop.call("auth", { email: "ana@example.test" })
  expect([status, body.error]).toEqual([422, { code: "customer-rejected", message: "Customer cannot order" }])
})

test("responds 502 bad-upstream-response to an upstream response that cannot be read", async () => {
  vi.spyOn(shop.services.billing, "plans").mockRejectedValue(
    new BillingError("unreadable", "not JSON: <html>"),
  )
  const { status, body } = await shop.call("getProducts")
  expect([status, body.error]).toEqual([
    502,
    { code: "bad-upstream-response", message: "Upstream sent an invalid response" },
  ])
})

test("sends Cache-Control no-store, and errors contain no e-mail, password or API key", async () => {
  const email = "ana@example.test"
  const request = { email, password: "a wrong password", existingReseller: "true" }
  const responses = [await shop.call("resellerAuth", request), await shop.call("authMiddleware", { email })]
  expect(responses.map(({ status }) => status)).toEqual([401, 404])
  for (const { text, headers } of responses) {
    expect(text).not.toMatch(/example\.test|password"?:|wrong password|the key of/)
    expect(headers.get("cache-control")).toBe("no-store")
  }
})
