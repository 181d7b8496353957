import { createPublicKey, generateKeyPairSync } from "node:crypto"
import { decodeProtectedHeader, jwtVerify } from "jose"
import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { localeOfIso } from "~/domain/locales"
import { money } from "~/domain/money"
import { gatewayContract } from "../../tests/contracts/gateway-contract"
import {
  COINBASE_HOOK,
  COINBASE_KEY,
  COINBASE_URL,
  checkoutPaid,
  coinbaseCallback,
  coinbaseCheckout,
} from "../../tests/mocks/coinbase"
import { server } from "../../tests/mocks/server"
import { openCoinbase } from "./coinbase.server"
import { tokensWith } from "./coinbase-key.server"
import { GatewayError, type PaymentRequest } from "./gateway"

const NOON = Date.UTC(2026, 10, 20, 12)
const settings = {
  ...{ url: COINBASE_URL, key: COINBASE_KEY, webhookSecrets: [COINBASE_HOOK] },
  ...{ timeoutMs: 5_000, pausesMs: [1, 1], now: () => NOON },
}
const gateway = openCoinbase(settings)
const payment: PaymentRequest = {
  attemptId: "attempt-7",
  orderId: "ORDER7",
  amount: money(1250, "EUR"),
  returnUrl: "https://shop.test/checkout/de-de/waiting?returned",
  cancelUrl: "https://shop.test/checkout/de-de/waiting",
  callbackUrl: "https://shop.test/checkout/api/payments/coinbase/callback",
  expiresAt: NOON + 86_400_000,
  locale: localeOfIso("de-DE"),
}

gatewayContract("coinbase", {
  gateway,
  payment,
  paid: coinbaseCallback({ body: checkoutPaid(), at: NOON }),
  forged: coinbaseCallback({ body: checkoutPaid(), at: NOON, secret: "somebody-else" }),
})

test("a checkout is asked for as the provider's contract says, under one key per attempt", async () => {
  const seen: { key: string | null; body: unknown }[] = []
  server.use(
    http.post(COINBASE_URL, async ({ request }) => {
      seen.push({ key: request.headers.get("x-idempotency-key"), body: await request.clone().json() })
    }),
  )
  await gateway.startPayment(payment)
  await gateway.startPayment(payment)
  await gateway.startPayment({ ...payment, attemptId: "attempt-8" })
  expect(seen[0]?.body).toEqual({
    amount: "12.50",
    currency: "EUR",
    description: "Order ORDER7",
    metadata: { attempt: "attempt-7", order: "ORDER7" },
    successRedirectUrl: payment.returnUrl,
    failRedirectUrl: payment.cancelUrl,
    expiresAt: "2026-11-21T12:00:00.000Z",
  })
  expect(seen[0]?.key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(seen[1]?.key).toBe(seen[0]?.key)
  expect(seen[2]?.key).not.toBe(seen[0]?.key)
})

test("every request has a token of its own, good for this request and two minutes", async () => {
  const pem = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const ec = pem.privateKey.export({ type: "sec1", format: "pem" }).toString()
  const halves = Buffer.from(COINBASE_KEY.secret, "base64")
  const x = halves.subarray(32).toString("base64url")
  const ed = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })
  for (const [secret, publicKey, alg] of [
    [COINBASE_KEY.secret, ed, "EdDSA"],
    [ec, pem.publicKey, "ES256"],
    [ec.replaceAll("\n", "\\n"), pem.publicKey, "ES256"],
  ] as const) {
    const make = tokensWith({ id: "key-1", secret })
    const address = new URL("https://business.coinbase.com/api/v1/checkouts?query=1")
    const [first, second] = [await make("POST", address, NOON), await make("POST", address, NOON)]
    expect(first).not.toBe(second)
    expect(decodeProtectedHeader(first)).toMatchObject({
      ...{ alg, kid: "key-1", typ: "JWT", nonce: expect.stringMatching(/^[0-9a-f]{32}$/) },
    })
    const { payload } = await jwtVerify(first, publicKey, { currentDate: new Date(NOON) })
    expect(payload).toEqual({
      ...{ sub: "key-1", iss: "cdp", uris: ["POST business.coinbase.com/api/v1/checkouts"] },
      ...{ iat: NOON / 1_000, nbf: NOON / 1_000, exp: NOON / 1_000 + 120 },
    })
  }
})

test.each([
  ["a secret that is no key", { key: { id: "k", secret: "aGVsbG8=" } }, /COINBASE_KEY_SECRET/],
  ["a PEM that is none", { key: { id: "k", secret: "-----BEGIN NONSENSE-----" } }, /COINBASE_KEY_SECRET/],
  ["no secret for callbacks", { webhookSecrets: [] }, /callbacks/],
])("%s stops the start in words", (_, wrong, words) => {
  expect(() => openCoinbase({ ...settings, ...wrong })).toThrow(words)
})

test.each([
  ["DEACTIVATED", 200, "closed"],
  ["COMPLETED", 200, "stays-open"],
  ["COMPLETED", 400, "stays-open"],
])("asked to close, an answer of %s with %i means: %s", async (status, http_status, outcome) => {
  server.use(
    http.post(`${COINBASE_URL}/:id/deactivate`, () =>
      HttpResponse.json(coinbaseCheckout({ status }), { status: http_status }),
    ),
  )
  expect(await gateway.closePayment({ paymentId: "68f7a946db0529ea9b6d3a12" })).toBe(outcome)
})

test.each([
  ["ACTIVE", "pending", 0],
  ["PROCESSING", "processing", 0],
  ["COMPLETED", "paid", 1250],
  ["DEACTIVATED", "expired", 0],
  ["EXPIRED", "expired", 0],
  ["FAILED", "failed", 0],
  ["REFUNDED", "refunded", 1250],
])("the provider's %s is our %s, with %i cents", async (status, ours, minor) => {
  server.use(http.get(`${COINBASE_URL}/:id`, () => HttpResponse.json(coinbaseCheckout({ status, id: "c1" }))))
  expect(await gateway.askPayment({ paymentId: "c1" })).toMatchObject({
    ...{ status: ours, received: money(minor, "EUR"), attemptId: "attempt-7" },
  })
})

test.each([
  ["a status nobody knows", { status: "HALF_PAID" }],
  ["a price in a currency the shop does not have", { fiatAmount: null, fiatCurrency: null }],
  ["no word of our attempt", { metadata: {} }],
  ["another checkout", { id: "another" }],
])("%s is unreadable, and nothing is guessed", async (_, changes) => {
  server.use(
    http.get(`${COINBASE_URL}/:id`, () => HttpResponse.json(coinbaseCheckout({ id: "c1", ...changes }))),
  )
  const asked = gateway.askPayment({ paymentId: "c1" })
  await expect(asked).rejects.toThrow(GatewayError)
  await expect(asked).rejects.toMatchObject({ kind: "unreadable" })
})

test("a pay page at another origin than the provider's is not trusted", async () => {
  server.use(
    http.post(COINBASE_URL, () =>
      HttpResponse.json(coinbaseCheckout({ url: "https://evil.test/x" }), { status: 201 }),
    ),
  )
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "unreadable" })
})
