import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { localeOfIso } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { GatewayError, type PaymentRequest } from "~/gateways/gateway"
import { gatewayContract } from "../../../tests/contracts/gateway/gateway-contract"
import {
  OFFSHORE_SECRET,
  OFFSHORE_URL,
  offshoreCallback,
  offshorePayment,
  paymentUpdated,
} from "../../../tests/fakes/offshore"
import { parsedUpdate } from "../../../tests/fakes/parse-callback"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { openOffshore } from "./offshore.server"

const server = interceptUpstreams()

const NOON = Date.UTC(2026, 10, 20, 12)
const STRANGER = "whsec_c29tZWJvZHktZWxzZS1hbHRvZ2V0aGVyLTMyLWJ5dGVzIQ=="
const settings = {
  url: OFFSHORE_URL,
  callbackSecrets: [OFFSHORE_SECRET],
  timeoutMs: 5_000,
  retryDelaysMs: [1, 1],
}
const gateway = openOffshore(settings)
const payment: PaymentRequest = {
  attemptId: "attempt-7",
  startedAt: NOON,
  orderId: "ORDER7",
  amount: money(1250, "EUR"),
  returnUrl: "https://shop.test/checkout/de-de/waiting",
  cancelUrl: "https://shop.test/checkout/de-de/waiting?cancelled",
  callbackUrl: "https://shop.test/checkout/api/payments/offshore/callback",
  expiresAt: NOON + 86_400_000,
  locale: localeOfIso("de-DE"),
}

gatewayContract("offshore", {
  gateway,
  payment,
  paid: offshoreCallback({ body: paymentUpdated(), at: NOON }),
  forged: offshoreCallback({ body: paymentUpdated(), at: NOON, secret: STRANGER }),
})

test("offshore startPayment sends the documented request with the attempt id as idempotency key", async () => {
  let seen: unknown
  server.use(
    http.post(`${OFFSHORE_URL}/payments`, async ({ request }) => {
      seen = { key: request.headers.get("idempotency-key"), body: await request.clone().json() }
    }),
  )
  await gateway.startPayment(payment)
  expect(seen).toEqual({
    key: "attempt-7",
    body: {
      amount: "12.50",
      currency: "EUR",
      reference: "attempt-7",
      return_url: "https://shop.test/checkout/de-de/waiting",
      cancel_url: "https://shop.test/checkout/de-de/waiting?cancelled",
      callback_url: "https://shop.test/checkout/api/payments/offshore/callback",
      expires_at: "2026-11-21T12:00:00.000Z",
      metadata: { order: "ORDER7", locale: "de-DE" },
    },
  })
})

test("offshore startPayment retries after 503", async () => {
  server.use(
    http.post(`${OFFSHORE_URL}/payments`, () => new HttpResponse(null, { status: 503 }), { once: true }),
  )
  await expect(gateway.startPayment(payment)).resolves.toMatchObject({ paymentId: "pay_attempt-7" })
})

test.each([
  ["refused", 422],
  ["unreadable", 302],
] as const)("offshore startPayment throws a %s error with HTTP %i as its cause", async (kind, status) => {
  server.use(http.post(`${OFFSHORE_URL}/payments`, () => new HttpResponse(null, { status })))
  const failure = gateway.startPayment(payment)
  await expect(failure).rejects.toBeInstanceOf(GatewayError)
  await expect(failure).rejects.toMatchObject({ kind, cause: { name: "UpstreamError", status } })
})

test("offshore fetchPayment throws an unavailable error on a network error", async () => {
  server.use(http.get(`${OFFSHORE_URL}/payments/:id`, () => HttpResponse.error()))
  await expect(gateway.fetchPayment({ paymentId: "pay_1" })).rejects.toMatchObject({ kind: "unavailable" })
})

test.each([
  ["elsewhere", "https://evil.test/pay/1"],
  ["to a host with the gateway's name as prefix", "https://offshore.test.evil.test/pay/1"],
  ["to an http URL", "http://offshore.test/pay/1"],
  ["to a javascript: URL", "javascript:alert(1)"],
])("offshore startPayment never redirects the buyer %s", async (_, url) => {
  server.use(
    http.post(`${OFFSHORE_URL}/payments`, () => HttpResponse.json({ id: "pay_1", url, status: "pending" })),
  )
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "unreadable" })
})

test("offshore startPayment accepts a payment page at the configured payOrigin", async () => {
  const apart = openOffshore({ ...settings, payOrigin: "https://pay.test" })
  const url = "https://pay.test/p/1"
  server.use(
    http.post(`${OFFSHORE_URL}/payments`, () => HttpResponse.json({ id: "pay_1", url, status: "pending" })),
  )
  expect(await apart.startPayment(payment)).toEqual({ paymentId: "pay_1", url })
  expect(apart.origins).toEqual(["https://pay.test", "https://offshore.test"])
})

test.each([
  [{ status: "pending", amount_paid: "0.00" }, "pending", 0],
  [{ status: "partially_paid", amount_paid: "5.00" }, "partially-paid", 500],
  [{ status: "paid" }, "paid", 1250],
  [{ status: "paid", amount_paid: undefined }, "paid", 1250],
  [{ status: "overpaid", amount_paid: "20.00" }, "paid", 2000],
  [{ status: "expired", amount_paid: undefined }, "expired", 0],
  [{ status: "failed", amount_paid: null, transaction_id: null }, "failed", 0],
  [{ status: "refunded", amount_paid: "12.50" }, "refunded", 1250],
])("offshore payment %j: status %s, %i cents received", async (body, status, minor) => {
  server.use(http.get(`${OFFSHORE_URL}/payments/:id`, () => HttpResponse.json(offshorePayment(body))))
  const update = await gateway.fetchPayment({ paymentId: "pay_attempt-7" })
  expect([update?.status, update?.received]).toEqual([status, money(minor, "EUR")])
})

test.each([
  [{ status: "paid", amount_refunded: "2.00" }, "paid", 200],
  [{ status: "refunded", amount_refunded: "12.50" }, "refunded", 1250],
  [{ status: "partially_paid", amount_paid: "5.00", amount_refunded: "5.00" }, "partially-paid", 500],
  [{ status: "paid", amount_refunded: "0.00" }, "paid", undefined],
  [{ status: "refunded", amount_refunded: "0.00" }, "refunded", undefined],
  [{ status: "refunded" }, "refunded", undefined],
])(
  "offshore payment %j in a poll and a callback: status %s, %j cents refunded",
  async (body, status, minor) => {
    server.use(http.get(`${OFFSHORE_URL}/payments/:id`, () => HttpResponse.json(offshorePayment(body))))
    const requested = await gateway.fetchPayment({ paymentId: "pay_attempt-7" })
    const called = parsedUpdate(gateway, offshoreCallback({ body: paymentUpdated(body), at: NOON }))
    for (const update of [requested, called]) {
      expect([update?.status, update?.refunded?.minor]).toEqual([status, minor])
    }
  },
)

test("each offshore refund has its own eventKey", async () => {
  const responses = ["2.00", "3.00"].map((amount_refunded) => offshorePayment({ amount_refunded }))
  server.use(http.get(`${OFFSHORE_URL}/payments/:id`, () => HttpResponse.json(responses.shift())))
  const first = await gateway.fetchPayment({ paymentId: "pay_attempt-7" })
  const second = await gateway.fetchPayment({ paymentId: "pay_attempt-7" })
  expect([first?.eventKey, second?.eventKey]).toEqual([
    "pay_attempt-7:paid:12.50:2.00",
    "pay_attempt-7:paid:12.50:3.00",
  ])
})

test("a further partial payment at the offshore gateway has its own eventKey", async () => {
  const responses = ["5.00", "6.00"].map((paid) =>
    offshorePayment({ status: "partially_paid", amount_paid: paid }),
  )
  server.use(http.get(`${OFFSHORE_URL}/payments/:id`, () => HttpResponse.json(responses.shift())))
  const first = await gateway.fetchPayment({ paymentId: "pay_attempt-7" })
  const second = await gateway.fetchPayment({ paymentId: "pay_attempt-7" })
  expect([first?.eventKey, second?.eventKey]).toEqual([
    "pay_attempt-7:partially_paid:5.00",
    "pay_attempt-7:partially_paid:6.00",
  ])
})

test.each([
  ["an unknown status", { status: "on_hold" }],
  ["a wrong payment id", { id: "pay_else" }],
  ["a malformed amount", { amount_paid: "12,50" }],
  ["a negative amount", { amount_paid: "-1.00" }],
  ["an unknown currency", { currency: "XYZ" }],
])("offshore fetchPayment throws an unreadable error for a response with %s", async (_, body) => {
  server.use(http.get(`${OFFSHORE_URL}/payments/:id`, () => HttpResponse.json(offshorePayment(body))))
  await expect(gateway.fetchPayment({ paymentId: "pay_attempt-7" })).rejects.toMatchObject({
    kind: "unreadable",
  })
})

test("openOffshore throws without a callback secret", () => {
  expect(() => openOffshore({ ...settings, callbackSecrets: [] })).toThrow(/secret/)
})
