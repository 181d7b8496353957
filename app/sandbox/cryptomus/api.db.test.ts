import { pino } from "pino"
import { afterAll, expect, test } from "vitest"
import { openCallbackShop } from "../../../tests/fakes/callback-receiver"
import { CRYPTOMUS_KEY, CRYPTOMUS_MERCHANT, cryptomusSign } from "../../../tests/fakes/cryptomus"
import { startSandbox } from "../sandbox.server"

const shop = await openCallbackShop()
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  now: () => Date.UTC(2026, 10, 20, 12),
  callbackSecret: "whsec_b2Zmc2hvcmUtdGVzdC1zZWNyZXQtMzItYnl0ZXMtIS4=",
  cryptomus: { merchant: CRYPTOMUS_MERCHANT, paymentKey: CRYPTOMUS_KEY },
  shops: ["https://shop.test", shop.origin],
  log: pino({ level: "silent" }),
})
afterAll(async () => {
  await sandbox.close()
  await shop.close()
})

let orders = 0
const request = (changes: Record<string, unknown> = {}) => ({
  amount: "12.50",
  currency: "EUR",
  order_id: `boxoffice-${++orders}`,
  additional_data: "ORDER7",
  url_return: "https://shop.test/no",
  url_success: "https://shop.test/back",
  url_callback: `${shop.origin}/callback`,
  lifetime: 3_600,
  ...changes,
})

test("the sandbox returns a Cryptomus invoice in the documented format", async () => {
  const requested = request()
  const { status, result } = await post("payment", requested)
  expect(status).toBe(200)
  expect(result).toEqual({
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    order_id: requested.order_id,
    amount: "12.50",
    currency: "EUR",
    payment_amount: null,
    payment_amount_usd: null,
    payer_amount: null,
    payer_currency: null,
    merchant_amount: null,
    commission: null,
    discount_percent: null,
    discount: "0.00000000",
    network: null,
    address: null,
    from: null,
    txid: null,
    payment_status: "check",
    status: "check",
    is_final: false,
    additional_data: "ORDER7",
    url: `${sandbox.origin}/cryptomus/pay/${result.uuid}`,
    expired_at: 1_795_179_600,
    created_at: "2026-11-20T15:00:00+03:00",
    updated_at: "2026-11-20T15:00:00+03:00",
  })
  expect((await post("payment/info", { uuid: result.uuid })).result).toEqual(result)
})

test("the sandbox returns the existing Cryptomus invoice for a known order_id", async () => {
  const first = await post("payment", request({ order_id: "boxoffice-same" }))
  const second = await post(
    "payment",
    request({ order_id: "boxoffice-same", amount: "99.00", lifetime: 300 }),
  )
  expect(second.result).toEqual(first.result)
})

test("a sandbox invoice with a coin has address and payer_amount with eight decimal places", async () => {
  const { result } = await post("payment", request({ to_currency: "BTC", network: "btc" }))
  expect(result).toMatchObject({
    payer_currency: "BTC",
    network: "btc",
    payer_amount: "0.00012500",
    payment_amount: null,
    address: expect.stringMatching(/^test-btc-[0-9a-f]{32}$/),
  })
})

test("the sandbox's Cryptomus callback contains a signature over its PHP serialization", async () => {
  const { result } = await post("payment", request({ additional_data: "https://shop.test/a" }))
  const body = new URLSearchParams({ outcome: "paid" })
  const page = await (await fetch(String(result.url))).text()
  expect(page).toContain("Cryptomus (sandbox)")
  await fetch(String(result.url), { method: "POST", body, redirect: "manual" })
  await shop.reached(1)
  const text = shop.calls[0]?.body.toString() ?? ""
  expect(text).toContain('"additional_data":"https:\\/\\/shop.test\\/a"')
  const { sign, ...params } = JSON.parse(text) as Record<string, unknown>
  expect(sign).toBe(cryptomusSign(text.replace(/,"sign":"\w+"/, "")))
  expect(params).toMatchObject({
    type: "payment",
    uuid: result.uuid,
    status: "paid",
    is_final: true,
    amount: "12.50000000",
    payer_currency: "USDT",
    network: "tron",
    payer_amount: "12.50000000",
    payment_amount: "12.50000000",
    merchant_amount: "12.25000000",
    commission: "0.25000000",
    txid: expect.stringMatching(/^\w{64}$/),
  })
})

test("the sandbox lists the Cryptomus services with upper-case networks", async () => {
  const { result } = await post("payment/services", {})
  expect(result).toContainEqual({
    network: "TRON",
    currency: "USDT",
    is_available: true,
    limit: { min_amount: "0.10000000", max_amount: "100000.00000000" },
    commission: { fee_amount: "0.00", percent: "2.00" },
  })
})

test("the sandbox finds a Cryptomus invoice by its order_id, which takes precedence over the uuid", async () => {
  const { result } = await post("payment", request({ order_id: "boxoffice-by-order" }))
  const other = await post("payment", request())
  expect((await post("payment/info", { order_id: "boxoffice-by-order" })).result).toEqual(result)
  const both = { order_id: "boxoffice-by-order", uuid: other.result.uuid }
  expect((await post("payment/info", both)).result).toEqual(result)
  expect((await post("payment/info", {})).status).toBe(422)
})

test("the sandbox resends the callback of a Cryptomus invoice by its order_id", async () => {
  const { result } = await post("payment", request({ order_id: "boxoffice-resent" }))
  const resend = () => post("payment/resend", { order_id: "boxoffice-resent" })
  expect((await resend()).status).toBe(422)
  const body = new URLSearchParams({ outcome: "paid-unreported" })
  await fetch(String(result.url), { method: "POST", body, redirect: "manual" })
  const before = shop.calls.length
  expect((await resend()).params).toEqual({ state: 0, result: [] })
  await shop.reached(before + 1)
  expect(lastCallback()).toMatchObject({ order_id: "boxoffice-resent", status: "paid" })
})

test("the sandbox accepts a Cryptomus invoice request without URLs and with lifetime as text", async () => {
  const requested = { amount: "12.50", currency: "EUR", order_id: "boxoffice-minimal", lifetime: "43200" }
  const { status, result } = await post("payment", requested)
  expect([status, result.expired_at]).toEqual([200, Date.UTC(2026, 10, 21) / 1_000])
  expect((await fetch(String(result.url))).status).toBe(200)
  const body = new URLSearchParams({ outcome: "paid" })
  await fetch(String(result.url), { method: "POST", body, redirect: "manual" })
  expect((await post("payment/info", { uuid: result.uuid })).result).toMatchObject({ status: "paid" })
})

test.each([
  ["paid", true],
  ["wrong_amount_waiting", false],
  ["cancel", true],
  ["locked", false],
])("the sandbox's Cryptomus test webhook has the requested status %s and ids", async (status, isFinal) => {
  const ids = { uuid: "11111111-2222-4333-8444-555555555555", order_id: `trial-${status}` }
  const requested = {
    url_callback: `${shop.origin}/callback`,
    currency: "LTC",
    network: "ltc",
    status,
    ...ids,
  }
  const before = shop.calls.length
  expect((await post("test-webhook/payment", requested)).status).toBe(200)
  await shop.reached(before + 1)
  expect(lastCallback()).toMatchObject({
    ...ids,
    status,
    is_final: isFinal,
    payer_currency: "LTC",
    network: "ltc",
  })
})

test.each([
  ["no status", { status: undefined }, "status"],
  ["an unknown status", { status: "happy" }, "status"],
  ["an order_id that is too long", { order_id: "x".repeat(33) }, "order_id"],
  ["a uuid that is none", { uuid: "77" }, "uuid"],
])("the sandbox rejects a Cryptomus test webhook with %s", async (_, changes, field) => {
  const requested = {
    url_callback: `${shop.origin}/callback`,
    currency: "LTC",
    network: "ltc",
    status: "paid",
  }
  const { status, params } = await post("test-webhook/payment", { ...requested, ...changes })
  expect([status, params]).toEqual([422, { state: 1, errors: { [field]: [expect.any(String)] } }])
})

test.each([
  ["no amount", { amount: undefined }, "amount"],
  ["an amount of zero", { amount: "0.00" }, "amount"],
  ["a JSON number as amount", { amount: 12.5 }, "amount"],
  ["an unknown currency", { currency: "XYZ" }, "currency"],
  ["an order_id with a space", { order_id: "order 7" }, "order_id"],
  ["an order_id that is too long", { order_id: "x".repeat(129) }, "order_id"],
  ["a URL that is too long", { url_return: `https://shop.test/${"x".repeat(255)}` }, "url_return"],
  ["a lifetime below the minimum", { lifetime: 299 }, "lifetime"],
  ["a lifetime above the maximum", { lifetime: 43_201 }, "lifetime"],
  ["a lifetime above the maximum as text", { lifetime: "43201" }, "lifetime"],
  ["a lifetime that is no number", { lifetime: "an hour" }, "lifetime"],
  ["an accuracy above the maximum", { accuracy_payment_percent: 6 }, "accuracy_payment_percent"],
  ["a share of the fee above the maximum", { subtract: 101 }, "subtract"],
  ["a discount above the maximum", { discount_percent: 101 }, "discount_percent"],
])(
  "the sandbox rejects an invoice request with %s in Cryptomus's validation format",
  async (_, changes, field) => {
    const { status, params } = await post("payment", request(changes))
    expect([status, params]).toEqual([422, { state: 1, errors: { [field]: [expect.any(String)] } }])
  },
)

test.each([
  ["an unavailable coin", { to_currency: "XMR", network: "xmr" }],
  ["a coin without a network", { to_currency: "BTC" }],
  ["a coin on the wrong network", { to_currency: "BTC", network: "tron" }],
  ["a URL of an unknown shop", { url_success: "https://evil.test/" }],
])("the sandbox rejects an invoice request with %s with a message", async (_, changes) => {
  expect(await post("payment", request(changes))).toMatchObject({
    status: 422,
    params: { state: 1, message: expect.any(String) },
  })
})

test("the sandbox's Cryptomus API rejects an unknown uuid", async () => {
  const { status, params } = await post("payment/info", { uuid: "11111111-2222-4333-8444-555555555555" })
  expect([status, params]).toEqual([422, { state: 1, message: "Payment not found" }])
})

test.each([
  ["no signature", { sign: "" }],
  ["a signature with another key", { sign: cryptomusSign("{}", "another-secret") }],
  ["a signature over another body", { sign: cryptomusSign('{"a":1}') }],
  ["another merchant id", { merchant: "00000000-0000-4000-8000-000000000000" }],
])("the sandbox's Cryptomus API returns 401 for a request with %s", async (_, headers) => {
  for (const path of ["payment", "payment/info", "payment/services"]) {
    expect(await post(path, {}, headers)).toMatchObject({ status: 401, params: { state: 1 } })
  }
})

function lastCallback(): unknown {
  return JSON.parse(shop.calls.at(-1)?.body.toString() ?? "")
}

async function post(path: string, body: unknown, more: Record<string, string> = {}) {
  const text = JSON.stringify(body)
  const proof = { merchant: CRYPTOMUS_MERCHANT, sign: cryptomusSign(text) }
  const headers = { "content-type": "application/json", ...proof, ...more }
  const response = await fetch(`${sandbox.origin}/cryptomus/v1/${path}`, {
    method: "POST",
    headers,
    body: text,
  })
  const params = (await response.json()) as { result?: Record<string, unknown> }
  return { status: response.status, params, result: params.result ?? {} }
}
