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

test("the sandbox's POST /payments returns 201 with id, payment URL, status and expiry", async () => {
  const { status, value } = await post(request, "key-new")
  expect(status).toBe(201)
  expect(value).toEqual({
    id: expect.stringMatching(/^pay_[0-9a-f]{32}$/),
    url: expect.stringMatching(`^${sandbox.origin}/offshore/pay/pay_`),
    status: "pending",
    expires_at: "2100-01-01T00:00:00.000Z",
  })
})

test("the sandbox's POST /payments returns the existing payment with 200 for a repeated idempotency key", async () => {
  const first = await post(request, "key-same")
  const second = await post(request, "key-same")
  expect([first.status, second.status]).toEqual([201, 200])
  expect(second.value).toEqual(first.value)
})

test("concurrent requests with one idempotency key create one sandbox payment", async () => {
  const both = await Promise.all([post(request, "key-race"), post(request, "key-race")])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 201])
  expect(both[0]?.value).toEqual(both[1]?.value)
})

test("the sandbox's POST /payments returns 422 for an idempotency key reused with another body", async () => {
  await post(request, "key-other")
  const { status, value } = await post({ ...request, amount: "99.00" }, "key-other")
  expect([status, value]).toMatchObject([422, { error: { code: "idempotency_key_reused" } }])
})

test("the sandbox's GET /payments/{id} returns the requested and the received amount", async () => {
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
  ["no idempotency key", JSON.stringify(request), undefined, 400, "idempotency_key_missing"],
  ["invalid JSON", "amount=12.50", "bad-1", 400, "invalid"],
  ["bytes that are not UTF-8", new Uint8Array([0xff, 0xfe]), "bad-2", 400, "invalid"],
  ["an amount of zero", changed({ amount: "0.00" }), "bad-3", 400, "invalid"],
  ["a negative amount", changed({ amount: "-1.00" }), "bad-4", 400, "invalid"],
  ["a JSON number as amount", changed({ amount: 12.5 }), "bad-5", 400, "invalid"],
  ["an unknown currency", changed({ currency: "XYZ" }), "bad-6", 400, "invalid"],
  ["no reference", changed({ reference: undefined }), "bad-7", 400, "invalid"],
  ["a javascript: return URL", changed({ return_url: "javascript:alert(1)" }), "bad-8", 400, "invalid"],
  [
    "a return URL of an unknown shop",
    changed({ return_url: "https://evil.test/" }),
    "bad-9",
    400,
    "unknown_shop",
  ],
  [
    "a callback URL of an unknown shop",
    changed({ callback_url: "http://10.0.0.1/" }),
    "bad-10",
    400,
    "unknown_shop",
  ],
  ["an invalid expiry", changed({ expires_at: "tomorrow" }), "bad-11", 400, "invalid"],
  ["a body above the limit", changed({ reference: "x".repeat(100_000) }), "bad-12", 413, "too_large"],
])(
  "the sandbox's POST /payments rejects a request with %s with a JSON error",
  async (_, body, key, status, code) => {
    const response = await send(body, key)
    expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }])
    expect(response.headers.get("content-type")).toContain("application/json")
  },
)

test("the sandbox returns 404 for an unknown payment and an unknown path", async () => {
  expect((await fetch(`${sandbox.origin}/offshore/payments/pay_none`)).status).toBe(404)
  expect((await fetch(`${sandbox.origin}/offshore/refunds`)).status).toBe(404)
})

test("the sandbox returns 405 with an Allow header for an unsupported method", async () => {
  const response = await fetch(`${sandbox.origin}/offshore/payments`, { method: "DELETE" })
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
})

test("startSandbox throws when the port is in use", async () => {
  const port = Number(new URL(sandbox.origin).port)
  await expect(startSandbox({ ...settings, port })).rejects.toThrow(/EADDRINUSE/)
})

test("startSandbox throws for a malformed callback secret", async () => {
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
