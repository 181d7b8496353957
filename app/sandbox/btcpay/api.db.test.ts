import { pino } from "pino"
import { afterAll, beforeEach, expect, test } from "vitest"
import { startSandbox } from "../sandbox.server"

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 10, 20, 12)
const settings = { store: "store-1", key: "dev-api-key", webhookSecret: "dev-secret" }
let now = NOON
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  now: () => now,
  callbackSecret: "whsec_b2Zmc2hvcmUtdGVzdC1zZWNyZXQtMzItYnl0ZXMtIS4=",
  btcpay: { ...settings, callbackUrl: "https://shop.test/callback" },
  shops: ["https://shop.test"],
  log: pino({ level: "silent" }),
})
afterAll(() => sandbox.close())
beforeEach(() => {
  now = NOON
})

const STORE = `${sandbox.origin}/btcpay/api/v1/stores/store-1`
const INVOICES = `${STORE}/invoices`
const checkout = { expirationMinutes: 60, redirectURL: "https://shop.test/back" }
const request = { amount: "12.50", currency: "EUR", metadata: { orderId: "attempt-7" }, checkout }

test("the sandbox returns a BTCPay invoice in the documented format", async () => {
  const { status, body } = await post("", request)
  expect([status, body]).toEqual([
    200,
    {
      id: expect.stringMatching(/^[0-9a-f]{22}$/),
      storeId: "store-1",
      type: "Standard",
      amount: "12.50",
      paidAmount: "0.00",
      currency: "EUR",
      checkoutLink: `${sandbox.origin}/btcpay/i/${body.id}`,
      createdTime: NOON / 1_000,
      expirationTime: NOON / 1_000 + 3_600,
      monitoringExpiration: NOON / 1_000 + 3_600 + 604_800,
      status: "New",
      additionalStatus: "None",
      archived: false,
      availableStatusesForManualMarking: ["Settled", "Invalid"],
      metadata: { orderId: "attempt-7" },
      checkout: {
        expirationMinutes: 60,
        paymentTolerance: 0,
        redirectURL: "https://shop.test/back",
        paymentMethods: ["BTC-CHAIN", "BTC-LN", "LTC-CHAIN"],
        defaultLanguage: null,
      },
    },
  ])
})

test("repeated requests create separate sandbox invoices, listed by orderId newest first", async () => {
  const metadata = { orderId: "attempt-twice" }
  const [first, second] = [await post("", { ...request, metadata }), await post("", { ...request, metadata })]
  expect(second.body.id).not.toBe(first.body.id)
  const { body } = await get("/invoices?orderId=attempt-twice")
  expect(body).toMatchObject([{ id: second.body.id }, { id: first.body.id }])
  expect((await get("/invoices?orderId=nobody")).body).toEqual([])
})

test("a paid sandbox invoice reports paidAmount, payment method and rate", async () => {
  const { body } = await post("", { ...request, checkout: { ...checkout, paymentMethods: ["LTC-CHAIN"] } })
  const before = await get(`/invoices/${body.id}/payment-methods`)
  expect(before.body).toMatchObject([
    { paymentMethodId: "LTC-CHAIN", due: "0.12500000", amount: "0.12500000", rate: "100.00", payments: [] },
  ])
  await fetch(String(body.checkoutLink), {
    method: "POST",
    body: new URLSearchParams({ outcome: "paid-unreported" }),
    redirect: "manual",
  })
  expect((await get(`/invoices/${body.id}`)).body).toMatchObject({ status: "Settled", paidAmount: "12.50" })
  expect((await get(`/invoices/${body.id}/payment-methods`)).body).toMatchObject([
    { due: "0.00000000", totalPaid: "0.12500000", payments: [{ value: "0.12500000", status: "Settled" }] },
  ])
})

test("an overpaid sandbox invoice has a negative due amount", async () => {
  const { body } = await post("", { ...request, checkout: { ...checkout, paymentMethods: ["LTC-CHAIN"] } })
  await fetch(String(body.checkoutLink), {
    method: "POST",
    body: new URLSearchParams({ outcome: "more" }),
    redirect: "manual",
  })
  expect((await get(`/invoices/${body.id}/payment-methods`)).body).toMatchObject([
    { due: "-0.01250000", totalPaid: "0.13750000" },
  ])
})

test("the sandbox marks a pending invoice invalid once, even after its expiry", async () => {
  const { body } = await post("", request)
  const marked = await post(`/${body.id}/status`, { status: "Invalid" })
  expect(marked.body).toMatchObject({ status: "Invalid", additionalStatus: "Marked" })
  expect((await post(`/${body.id}/status`, { status: "Invalid" })).status).toBe(422)
  const late = await post("", request)
  now += 2 * HOUR
  expect((await get(`/invoices/${late.body.id}`)).body).toMatchObject({ status: "Expired" })
  expect((await post(`/${late.body.id}/status`, { status: "Invalid" })).status).toBe(200)
  expect((await post(`/${late.body.id}/status`, { status: "Settled" })).status).toBe(422)
})

test("the sandbox accepts a BTCPay invoice request with amount and currency alone", async () => {
  const { status, body } = await post("", { amount: "12.50", currency: "EUR" })
  expect([status, body]).toMatchObject([200, { status: "New", metadata: {} }])
  expect(body.expirationTime).toBe(NOON / 1_000 + 900)
  expect((await fetch(String(body.checkoutLink))).status).toBe(200)
})

test.each(["HighSpeed", "MediumSpeed", "LowSpeed", "LowMediumSpeed"])(
  "the sandbox accepts the BTCPay speedPolicy %s",
  async (speedPolicy) => {
    expect((await post("", { ...request, checkout: { ...checkout, speedPolicy } })).status).toBe(200)
  },
)

test("the sandbox marks a BTCPay invoice settled, once, also when a part has been paid", async () => {
  const { body } = await post("", request)
  const marked = await post(`/${body.id}/status`, { status: "Settled" })
  expect([marked.status, marked.body]).toMatchObject([
    200,
    { status: "Settled", additionalStatus: "Marked", availableStatusesForManualMarking: [] },
  ])
  expect((await post(`/${body.id}/status`, { status: "Settled" })).status).toBe(422)
  const partly = await post("", request)
  await fetch(String(partly.body.checkoutLink), {
    method: "POST",
    body: new URLSearchParams({ outcome: "less" }),
    redirect: "manual",
  })
  expect((await post(`/${partly.body.id}/status`, { status: "Settled" })).body).toMatchObject({
    status: "Settled",
    paidAmount: "10.00",
  })
})

test("the sandbox lists all BTCPay invoices of the store, or those of a status, newest first", async () => {
  const older = await post("", request)
  const newer = await post("", request)
  await post(`/${older.body.id}/status`, { status: "Settled" })
  const ids = async (query: string) => {
    const { body } = await get(`/invoices${query}`)
    return (body as unknown as { id: string }[]).map(({ id }) => id)
  }
  const all = await ids("")
  expect(all.slice(0, 2)).toEqual([newer.body.id, older.body.id])
  expect(await ids("?take=1")).toEqual([newer.body.id])
  expect(await ids("?skip=1&take=1")).toEqual([older.body.id])
  expect((await ids("?status=Settled"))[0]).toBe(older.body.id)
  expect(await ids("?status=Settled")).not.toContain(newer.body.id)
})

test("the sandbox has the forms of BTCPay URLs without a store", async () => {
  const { body } = await post("", request)
  const headers = { authorization: "token dev-api-key" }
  const invoice = `${sandbox.origin}/btcpay/api/v1/invoices/${body.id}`
  expect(await (await fetch(invoice, { headers })).json()).toEqual((await get(`/invoices/${body.id}`)).body)
  expect((await fetch(invoice)).status).toBe(401)
  expect((await fetch(`${invoice}/payment-methods`, { headers })).status).toBe(200)
  const marked = await fetch(`${invoice}/status`, {
    method: "POST",
    headers,
    body: JSON.stringify({ status: "Invalid" }),
  })
  expect(await marked.json()).toMatchObject({ status: "Invalid" })
})

test.each([
  ["no amount", { amount: null }],
  ["an amount of zero", { amount: "0.00" }],
  ["a JSON number as amount", { amount: 12.5 }],
  ["an unknown currency", { currency: "CHF" }],
  ["a redirect URL of an unknown shop", { checkout: { ...checkout, redirectURL: "https://evil.test/" } }],
  ["an unsupported payment method", { checkout: { ...checkout, paymentMethods: ["DOGE-CHAIN"] } }],
  ["an unknown speedPolicy", { checkout: { ...checkout, speedPolicy: "Fast" } }],
  ["an unknown member", { checkout: { ...checkout, cancelURL: "https://shop.test/" } }],
])("the sandbox rejects an invoice request with %s in BTCPay's error format", async (_, changes) => {
  const { status, body } = await post("", { ...request, ...changes })
  expect([status, body]).toEqual([422, [{ path: expect.any(String), message: expect.any(String) }]])
})

test.each([
  ["no API key", {}, 401],
  ["a wrong API key", { authorization: "token other" }, 401],
  ["the API key as a Bearer token", { authorization: "Bearer dev-api-key" }, 401],
])("the sandbox's BTCPay API rejects a request with %s", async (_, headers, status) => {
  expect((await fetch(`${STORE}/payment-methods`, { headers })).status).toBe(status)
})

test("the sandbox's BTCPay API rejects another store's id and returns 404 for an unknown invoice", async () => {
  const headers = { authorization: "token dev-api-key" }
  const other = `${sandbox.origin}/btcpay/api/v1/stores/store-2/invoices`
  expect((await fetch(other, { headers })).status).toBe(403)
  for (const path of ["/invoices/none", "/invoices/none/payment-methods"]) {
    expect((await get(path)).body).toMatchObject({ code: "invoice-not-found" })
  }
  expect((await post("/none/status", { status: "Invalid" })).status).toBe(404)
})

async function post(path: string, body: unknown) {
  const headers = { authorization: "token dev-api-key", "content-type": "application/json" }
  return result(await fetch(`${INVOICES}${path}`, { method: "POST", headers, body: JSON.stringify(body) }))
}

async function get(path: string) {
  return result(await fetch(`${STORE}${path}`, { headers: { authorization: "token dev-api-key" } }))
}

async function result(response: Response) {
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
