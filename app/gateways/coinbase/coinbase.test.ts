import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { localeOfIso } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { GatewayError, type PaymentRequest } from "~/gateways/gateway"
import { gatewayContract } from "../../../tests/contracts/gateway/gateway-contract"
import {
  COINBASE_HOOK,
  COINBASE_KEY,
  COINBASE_URL,
  checkoutPaid,
  coinbaseCallback,
  coinbaseCheckout,
} from "../../../tests/fakes/coinbase"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { openCoinbase } from "./coinbase.server"

const server = interceptUpstreams()

const NOON = Date.UTC(2026, 10, 20, 12)
const settings = {
  url: COINBASE_URL,
  key: COINBASE_KEY,
  webhookSecrets: [COINBASE_HOOK],
  timeoutMs: 5_000,
  retryDelaysMs: [1, 1],
  now: () => NOON,
}
const gateway = openCoinbase(settings)
const payment: PaymentRequest = {
  attemptId: "attempt-7",
  startedAt: NOON,
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
  forged: coinbaseCallback({ body: checkoutPaid(), at: NOON, secret: "another-secret" }),
})

test("Coinbase startPayment sends the documented request with one idempotency key per attempt", async () => {
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

test.each([
  ["a key secret that is too short", { key: { id: "k", secret: "aGVsbG8=" } }, /COINBASE_KEY_SECRET/],
  ["a malformed PEM", { key: { id: "k", secret: "-----BEGIN NONSENSE-----" } }, /COINBASE_KEY_SECRET/],
  ["an empty key id", { key: { ...COINBASE_KEY, id: "" } }, /COINBASE_KEY_ID/],
  ["a missing webhook secret", { webhookSecrets: [] }, /COINBASE_WEBHOOK_SECRET/],
  ["an empty webhook secret", { webhookSecrets: [""] }, /COINBASE_WEBHOOK_SECRET/],
])("openCoinbase throws an error with the name of the setting for %s", (_, wrong, pattern) => {
  expect(() => openCoinbase({ ...settings, ...wrong })).toThrow(pattern)
})

test.each([
  ["DEACTIVATED", "closed"],
  ["PROCESSING", "stays-open"],
  ["COMPLETED", "stays-open"],
  ["EXPIRED", "stays-open"],
])("Coinbase closePayment of a checkout that is already %s returns %s", async (status, outcome) => {
  server.use(
    http.post(`${COINBASE_URL}/:id/deactivate`, () => HttpResponse.json({}, { status: 400 })),
    http.get(`${COINBASE_URL}/:id`, () => HttpResponse.json(coinbaseCheckout({ status }))),
  )
  expect(await gateway.closePayment({ paymentId: "c1" })).toBe(outcome)
})

test("Coinbase closePayment throws a refused error for a revoked API key", async () => {
  const no = () => HttpResponse.json({ errorType: "unauthorized" }, { status: 401 })
  server.use(http.post(`${COINBASE_URL}/:id/deactivate`, no), http.get(`${COINBASE_URL}/:id`, no))
  await expect(gateway.closePayment({ paymentId: "c1" })).rejects.toMatchObject({ kind: "refused" })
})

test.each([
  ["six decimals of USDC", { amount: "13.412345" }, money(1250, "EUR")],
  ["no payment page URL", { url: undefined }, money(1250, "EUR")],
  [
    "a price in dollars",
    { amount: "14.00", currency: "USD", fiatAmount: null, fiatCurrency: null },
    money(1400, "USD"),
  ],
])("Coinbase fetchPayment accepts a checkout with %s", async (_, changes, received) => {
  server.use(
    http.get(`${COINBASE_URL}/:id`, () => HttpResponse.json(coinbaseCheckout({ id: "c1", ...changes }))),
  )
  expect(await gateway.fetchPayment({ paymentId: "c1" })).toMatchObject({ status: "paid", received })
})

test("each retry of a Coinbase request carries a new JWT", async () => {
  const proofs = new Set<string | null>()
  server.use(
    http.get(`${COINBASE_URL}/:id`, ({ request }) => {
      const { size } = proofs.add(request.headers.get("authorization"))
      return HttpResponse.json(coinbaseCheckout({ id: "c1" }), { status: size < 3 ? 429 : 200 })
    }),
  )
  await gateway.fetchPayment({ paymentId: "c1" })
  expect(proofs.size).toBe(3)
})

test.each([
  ["ACTIVE", "pending", 0],
  ["PROCESSING", "processing", 0],
  ["COMPLETED", "paid", 1250],
  ["DEACTIVATED", "expired", 0],
  ["EXPIRED", "expired", 0],
  ["FAILED", "failed", 0],
  ["REFUNDED", "refunded", 1250],
])("Coinbase checkout %s: status %s, %i cents received", async (status, expected, minor) => {
  server.use(http.get(`${COINBASE_URL}/:id`, () => HttpResponse.json(coinbaseCheckout({ status, id: "c1" }))))
  expect(await gateway.fetchPayment({ paymentId: "c1" })).toMatchObject({
    status: expected,
    received: money(minor, "EUR"),
    attemptId: "attempt-7",
  })
})

test.each([
  ["an unknown status", { status: "HALF_PAID" }],
  ["a price in an unsupported currency", { fiatAmount: null, fiatCurrency: null }],
  ["a fiat currency without an amount", { fiatAmount: null }],
  ["a price with a fraction of a cent", { fiatAmount: "12.505" }],
  ["no attempt in the metadata", { metadata: {} }],
  ["a wrong checkout id", { id: "another" }],
])("Coinbase fetchPayment throws an unreadable error for %s", async (_, changes) => {
  server.use(
    http.get(`${COINBASE_URL}/:id`, () => HttpResponse.json(coinbaseCheckout({ id: "c1", ...changes }))),
  )
  const call = gateway.fetchPayment({ paymentId: "c1" })
  await expect(call).rejects.toThrow(GatewayError)
  await expect(call).rejects.toMatchObject({ kind: "unreadable" })
})

test("Coinbase startPayment rejects a payment page at another origin", async () => {
  server.use(
    http.post(COINBASE_URL, () =>
      HttpResponse.json(coinbaseCheckout({ url: "https://evil.test/x" }), { status: 201 }),
    ),
  )
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "unreadable" })
})

test("Coinbase checkouts name the address and the transaction by which an operator finds them", async () => {
  const changes = { id: "c1", address: "0xAbC0000000000000", transactionHash: "0x4f2c" }
  server.use(http.get(`${COINBASE_URL}/:id`, () => HttpResponse.json(coinbaseCheckout(changes))))
  expect((await gateway.fetchPayment({ paymentId: "c1" }))?.coinReferences).toEqual([
    { kind: "address", value: "0xAbC0000000000000" },
    { kind: "transaction", value: "0x4f2c" },
  ])
})
