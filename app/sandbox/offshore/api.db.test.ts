import { pino } from "pino"
import { afterAll, expect, test } from "vitest"
import { OFFSHORE_SECRET } from "../../../tests/fakes/offshore"
import { startSandbox } from "../sandbox.server"

const settings = {
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  callbackSecret: OFFSHORE_SECRET,
  shops: ["https://shop.test"],
  now: () => Date.now(),
  log: pino({ level: "silent" }),
}
const sandbox = await startSandbox(settings)
afterAll(() => sandbox.close())

const request = {
  amount: "12.50",
  currency: "EUR",
  reference: "attempt-1",
  return_url: "https://shop.test/waiting",
  cancel_url: "https://shop.test/waiting?cancelled",
  callback_url: "https://shop.test/callback",
  expires_at: "2100-01-01T00:00:00Z",
  metadata: { order: "ORDER7", locale: "de-DE" },
}

test("a payment is opened with 201, a name, a pay address and its end", async () => {
  const { status, value } = await post(request, "key-new")
  expect(status).toBe(201)
  expect(value).toEqual({
    id: expect.stringMatching(/^pay_[0-9a-f]{32}$/),
    url: expect.stringMatching(`^${sandbox.origin}/offshore/pay/pay_`),
    status: "pending",
    expires_at: "2100-01-01T00:00:00.000Z",
  })
})

test("the same key with the same wish is the same payment, with 200", async () => {
  const first = await post(request, "key-same")
  const second = await post(request, "key-same")
  expect([first.status, second.status]).toEqual([201, 200])
  expect(second.value).toEqual(first.value)
})

test("two openings at once under one key are one payment", async () => {
  const both = await Promise.all([post(request, "key-race"), post(request, "key-race")])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 201])
  expect(both[0]?.value).toEqual(both[1]?.value)
})

test("the same key with another wish is refused with 422", async () => {
  await post(request, "key-other")
  const { status, value } = await post({ ...request, amount: "99.00" }, "key-other")
  expect([status, value]).toMatchObject([422, { error: { code: "idempotency_key_reused" } }])
})

test("a payment is shown with what was asked and what has come", async () => {
  const { value } = await post(request, "key-show")
  const response = await fetch(`${sandbox.origin}/offshore/payments/${(value as { id: string }).id}`)
  expect(await response.json()).toMatchObject({
    status: "pending",
    amount: "12.50",
    amount_paid: "0.00",
    currency: "EUR",
    reference: "attempt-1",
    transaction_id: null,
  })
})

test.each([
  ["no key", JSON.stringify(request), undefined, 400, "idempotency_key_missing"],
  ["no JSON", "amount=12.50", "bad-1", 400, "invalid"],
  ["bytes that are not UTF-8", new Uint8Array([0xff, 0xfe]), "bad-2", 400, "invalid"],
  ["an amount of nothing", changed({ amount: "0.00" }), "bad-3", 400, "invalid"],
  ["an amount below zero", changed({ amount: "-1.00" }), "bad-4", 400, "invalid"],
  ["a number for an amount", changed({ amount: 12.5 }), "bad-5", 400, "invalid"],
  ["an unknown currency", changed({ currency: "XYZ" }), "bad-6", 400, "invalid"],
  ["no reference", changed({ reference: undefined }), "bad-7", 400, "invalid"],
  ["a script for a return address", changed({ return_url: "javascript:alert(1)" }), "bad-8", 400, "invalid"],
  ["a return to somebody else", changed({ return_url: "https://evil.test/" }), "bad-9", 400, "unknown_shop"],
  [
    "a callback to somebody else",
    changed({ callback_url: "http://10.0.0.1/" }),
    "bad-10",
    400,
    "unknown_shop",
  ],
  ["no end", changed({ expires_at: "tomorrow" }), "bad-11", 400, "invalid"],
  ["too large a body", changed({ reference: "x".repeat(100_000) }), "bad-12", 413, "too_large"],
])("a wish with %s is refused in JSON", async (_, body, key, status, code) => {
  const response = await send(body, key)
  expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }])
  expect(response.headers.get("content-type")).toContain("application/json")
})

test("a payment that does not exist is 404, and so is any other address", async () => {
  expect((await fetch(`${sandbox.origin}/offshore/payments/pay_none`)).status).toBe(404)
  expect((await fetch(`${sandbox.origin}/offshore/refunds`)).status).toBe(404)
})

test("a method that an address does not know is 405 and names those it does", async () => {
  const response = await fetch(`${sandbox.origin}/offshore/payments`, { method: "DELETE" })
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
})

test("a port that is taken stops the start with the reason", async () => {
  const port = Number(new URL(sandbox.origin).port)
  await expect(startSandbox({ ...settings, port })).rejects.toThrow(/EADDRINUSE/)
})

test("a secret that cannot be one stops the start", async () => {
  await expect(startSandbox({ ...settings, callbackSecret: "whsec_???" })).rejects.toThrow()
})

function changed(changes: Record<string, unknown>): string {
  return JSON.stringify({ ...request, ...changes })
}

function send(body: string | Uint8Array<ArrayBuffer>, key: string | undefined) {
  const headers = { "content-type": "application/json", ...(key && { "idempotency-key": key }) }
  return fetch(`${sandbox.origin}/offshore/payments`, { method: "POST", headers, body })
}

async function post(body: unknown, key: string) {
  const response = await send(JSON.stringify(body), key)
  const value: unknown = await response.json()
  return { status: response.status, value }
}
