import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SignJWT } from "jose"
import { pino } from "pino"
import { afterAll, beforeEach, expect, test } from "vitest"
import { tokensWith } from "~/gateways/coinbase/jwt.server"
import { COINBASE_HOOK, COINBASE_KEY } from "../../../tests/fakes/coinbase"
import { startSandbox } from "../sandbox.server"

const HOUR = 3_600_000
const [d, x] = [0, 32].map((from) =>
  Buffer.from(COINBASE_KEY.secret, "base64")
    .subarray(from, from + 32)
    .toString("base64url"),
)
const key = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" })
const folder = mkdtempSync(join(tmpdir(), "sandbox-"))
let now = Date.UTC(2026, 10, 20, 12)
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: join(folder, "sandbox.db"),
  now: () => now,
  callbackSecret: "whsec_b2Zmc2hvcmUtdGVzdC1zZWNyZXQtMzItYnl0ZXMtIS4=",
  coinbase: {
    keyId: COINBASE_KEY.id,
    publicKey: createPublicKey(key),
    hookSecret: COINBASE_HOOK,
    callbackUrl: "https://shop.test/callback",
  },
  shops: ["https://shop.test"],
  log: pino({ level: "silent" }),
})
afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  now = Date.UTC(2026, 10, 20, 12)
})

const CHECKOUTS = `${sandbox.origin}/coinbase/api/v1/checkouts`
const token = tokensWith(COINBASE_KEY)
const request = {
  amount: "12.50",
  currency: "EUR",
  description: "Order ORDER7",
  metadata: { attempt: "attempt-7" },
  successRedirectUrl: "https://shop.test/back",
  failRedirectUrl: "https://shop.test/no",
  expiresAt: "2026-11-20T13:00:00.000Z",
}

test("the sandbox returns a Coinbase checkout in the documented format", async () => {
  const { status, body } = await post("", request)
  expect([status, body]).toEqual([
    201,
    {
      ...request,
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      url: `${sandbox.origin}/coinbase/pay/${body.id}`,
      currency: "USDC",
      network: "base",
      address: expect.stringMatching(/^test-base-[0-9a-f]{24}$/),
      fiatAmount: "12.50",
      fiatCurrency: "EUR",
      exchangeRate: "1.00",
      status: "ACTIVE",
      createdAt: "2026-11-20T12:00:00.000Z",
      updatedAt: "2026-11-20T12:00:00.000Z",
    },
  ])
})

test("a paid sandbox checkout has a settlement and a transaction hash", async () => {
  const { body } = await post("", request)
  await fetch(String(body.url), {
    method: "POST",
    body: new URLSearchParams({ outcome: "paid-unreported" }),
    redirect: "manual",
  })
  expect((await get(`/${body.id}`)).body).toMatchObject({
    status: "COMPLETED",
    settlement: { totalAmount: "12.50", feeAmount: "0.13", netAmount: "12.37", currency: "USDC" },
    transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  expect((await post(`/${body.id}/deactivate`, {})).status).toBe(400)
})

test("the sandbox's Coinbase API honours idempotency keys: repeat, 409 for another body, new without a key", async () => {
  const again = { "x-idempotency-key": randomUUID() }
  const first = await post("", request, again)
  expect((await post("", request, again)).body.id).toBe(first.body.id)
  expect((await post("", { ...request, amount: "1.00" }, again)).status).toBe(409)
  expect((await post("", request)).body.id).not.toBe((await post("", request)).body.id)
})

test("the sandbox deactivates only active checkouts, and only once", async () => {
  const { body } = await post("", request)
  expect((await post(`/${body.id}/deactivate`, {})).body).toMatchObject({ status: "DEACTIVATED" })
  expect((await post(`/${body.id}/deactivate`, {})).status).toBe(400)
  const late = await post("", request)
  now += 2 * HOUR
  expect((await post(`/${late.body.id}/deactivate`, {})).status).toBe(400)
  expect((await get(`/${late.body.id}`)).body).toMatchObject({ status: "EXPIRED" })
})

test("the sandbox accepts a Coinbase checkout request with amount and currency alone, valid for a day", async () => {
  const { status, body } = await post("", { amount: "12.50", currency: "EUR" })
  expect([status, body.expiresAt]).toEqual([201, "2026-11-21T12:00:00.000Z"])
  expect(body).not.toHaveProperty("successRedirectUrl")
  expect((await fetch(String(body.url))).status).toBe(200)
})

test("the sandbox lists Coinbase checkouts newest first, by pages, status, time and description", async () => {
  now += HOUR
  const startTime = new Date(now).toISOString()
  const later = { ...request, expiresAt: new Date(now + HOUR).toISOString() }
  const older = await post("", { ...later, description: "Order LISTED" })
  const newer = await post("", { ...later, description: "Order LISTED again" })
  await post(`/${older.body.id}/deactivate`, {})
  const ids = async (query: string) => {
    const { body } = await get(`/?${query}`)
    return (body.checkouts as { id: string }[]).map(({ id }) => id)
  }
  expect(await ids(`startTime=${startTime}`)).toEqual([newer.body.id, older.body.id])
  expect(await ids(`descriptionQuery=again`)).toEqual([newer.body.id])
  expect(await ids(`startTime=${startTime}&status=DEACTIVATED`)).toEqual([older.body.id])
  expect(await ids(`endTime=${startTime}`)).not.toContain(newer.body.id)
  const first = await get("/?pageSize=1")
  expect(first.body).toMatchObject({ checkouts: [{ id: newer.body.id }], nextPageToken: expect.any(String) })
  expect(await ids(`pageSize=1&pageToken=${first.body.nextPageToken}`)).toEqual([older.body.id])
  expect((await get("/?pageSize=101")).status).toBe(400)
})

test("the sandbox refunds a paid Coinbase checkout in part and in whole, and no more than was paid", async () => {
  const { body } = await post("", request)
  const refund = (amount: string) => post(`/${body.id}/refund`, { amount, currency: "USDC", reason: "asked" })
  expect((await refund("1.00")).status).toBe(400)
  await fetch(String(body.url), {
    method: "POST",
    body: new URLSearchParams({ outcome: "paid-unreported" }),
    redirect: "manual",
  })
  expect((await refund("2.50")).body.checkout).toMatchObject({
    status: "PARTIALLY_REFUNDED",
    refundedAmount: "2.50",
  })
  expect((await refund("10.01")).status).toBe(400)
  expect((await refund("10.00")).body.checkout).toMatchObject({ status: "REFUNDED", refundedAmount: "12.50" })
  expect((await get(`/${body.id}`)).body).toMatchObject({ status: "REFUNDED" })
})

test.each([
  ["no amount", { amount: "0.00" }],
  ["three decimals", { amount: "12.505" }],
  ["an unknown currency", { currency: "CHF" }],
  ["an amount above the maximum", { amount: "100000000.01" }],
  ["an expiry in the past", { expiresAt: "2026-11-20T11:59:59.000Z" }],
  ["another network", { network: "ethereum" }],
  ["a metadata value that is too long", { metadata: { attempt: "x".repeat(101) } }],
  ["a redirect URL of an unknown shop", { successRedirectUrl: "https://evil.test/" }],
])("the sandbox rejects a checkout request with %s in Coinbase's error format", async (_, changes) => {
  const { status, body } = await post("", { ...request, ...changes })
  expect([status, body]).toEqual([400, { errorType: "invalid_request", errorMessage: expect.any(String) }])
})

test("the sandbox returns 404 for an unknown checkout and 400 for an idempotency key that is not a UUID", async () => {
  expect((await get("/68f7a946db0529ea9b6d3a12")).status).toBe(404)
  expect((await post("", request, { "x-idempotency-key": "attempt-7" })).status).toBe(400)
})

const other = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "sec1", format: "pem" })
  .toString()
test.each<[string, () => Promise<string>]>([
  ["no token", async () => ""],
  ["nonsense", async () => "Bearer nonsense"],
  [
    "a token signed with another key",
    () => bearer(tokensWith({ ...COINBASE_KEY, secret: other })("GET", requested, now)),
  ],
  [
    "a token with another key id",
    () => bearer(tokensWith({ ...COINBASE_KEY, id: "key-2" })("GET", requested, now)),
  ],
  ["an expired token", () => bearer(token("GET", requested, now - 130_000))],
  ["a token issued in the future", () => bearer(token("GET", requested, now + 60_000))],
  ["a token for another method", () => bearer(token("POST", requested, now))],
  ["a token for another URL", () => bearer(token("GET", new URL(`${CHECKOUTS}/c2`), now))],
  ["a token without a nonce", () => bearer(handmade({}, { exp: now / 1_000 + 120 }))],
  [
    "a token valid for more than 120 s",
    () => bearer(handmade({ nonce: "0".repeat(32) }, { exp: now / 1_000 + 121 })),
  ],
  ["a token without an expiry", () => bearer(handmade({ nonce: "0".repeat(32) }, {}))],
])("the sandbox's Coinbase API returns 401 for a request with %s", async (_, authorization) => {
  const response = await fetch(requested, { headers: { authorization: await authorization() } })
  expect([response.status, await response.json()]).toEqual([
    401,
    { errorType: "unauthorized", errorMessage: "Unauthorized" },
  ])
})

const requested = new URL(`${CHECKOUTS}/c1`)

async function bearer(made: Promise<string>): Promise<string> {
  return `Bearer ${await made}`
}

function handmade(header: Record<string, string>, claims: Record<string, number>): Promise<string> {
  const uris = [`GET ${requested.host}${requested.pathname}`]
  const at = now / 1_000
  return new SignJWT({ iss: "cdp", sub: COINBASE_KEY.id, uris, iat: at, nbf: at, ...claims })
    .setProtectedHeader({ alg: "EdDSA", kid: COINBASE_KEY.id, typ: "JWT", ...header })
    .sign(key)
}

test("the sandbox's Coinbase API accepts a token valid for 120 s", async () => {
  const authorization = await bearer(handmade({ nonce: "0".repeat(32) }, { exp: now / 1_000 + 120 }))
  expect((await fetch(requested, { headers: { authorization } })).status).toBe(404)
})

async function post(path: string, body: unknown, more: Record<string, string> = {}) {
  const authorization = await bearer(token("POST", new URL(`${CHECKOUTS}${path}`), now))
  const headers = { authorization, "content-type": "application/json", ...more }
  return result(await fetch(`${CHECKOUTS}${path}`, { method: "POST", headers, body: JSON.stringify(body) }))
}

async function get(path: string) {
  const authorization = await bearer(token("GET", new URL(`${CHECKOUTS}${path}`), now))
  return result(await fetch(`${CHECKOUTS}${path}`, { headers: { authorization } }))
}

async function result(response: Response) {
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
