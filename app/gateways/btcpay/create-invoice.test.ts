import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import type { PaymentRequest } from "~/gateways/gateway"
import {
  BTCPAY_HOOK,
  BTCPAY_KEY,
  BTCPAY_STORE,
  BTCPAY_URL,
  btcpayInvoice,
  INVOICES,
} from "../../../tests/fakes/btcpay"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { openBtcpay } from "./btcpay.server"

const server = interceptUpstreams()

const NOON = Date.UTC(2026, 10, 20, 12)
const gateway = openBtcpay({
  url: BTCPAY_URL,
  store: BTCPAY_STORE,
  key: BTCPAY_KEY,
  webhookSecrets: [BTCPAY_HOOK],
  timeoutMs: 5_000,
  retryDelaysMs: [1, 1],
  now: () => NOON,
})
const payment: PaymentRequest = {
  attemptId: "attempt-7",
  orderId: "ORDER7",
  amount: money(1250, "EUR"),
  locale: defaultLocale,
  returnUrl: "https://shop.test/back",
  cancelUrl: "https://shop.test/no",
  callbackUrl: "https://shop.test/callback",
  startedAt: NOON,
  expiresAt: NOON + 3_600_000,
}
const untouched = { status: "New", paidAmount: "0" }

test("BTCPay startPayment returns the existing invoice of an attempt without creating one", async () => {
  const posts = billingWith([btcpayInvoice({ id: "i1", ...untouched })])
  const opened = await gateway.startPayment(payment)
  expect(opened).toEqual({ paymentId: "i1", url: `${BTCPAY_URL}/i/i1`, endsAt: expect.any(Number) })
  expect(posts()).toBe(0)
})

test("BTCPay startPayment returns the oldest of two invoices of an attempt", async () => {
  billingWith([btcpayInvoice({ id: "newer", ...untouched }), btcpayInvoice({ id: "older", ...untouched })])
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: "older" })
})

test("BTCPay startPayment ignores invoices of other attempts in the search result", async () => {
  const metadata = { orderId: "attempt-8", attemptId: "attempt-8" }
  const posts = billingWith([btcpayInvoice({ id: "theirs", ...untouched, metadata })])
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: "made-1" })
  expect(posts()).toBe(1)
})

test("concurrent BTCPay startPayment calls for one attempt create one invoice", async () => {
  const posts = billingWith([])
  const [first, second] = await Promise.all([gateway.startPayment(payment), gateway.startPayment(payment)])
  expect(second).toEqual(first)
  expect(posts()).toBe(1)
})

test("BTCPay startPayment finds the created invoice after a lost response", async () => {
  const posts = billingWith([], () => HttpResponse.error())
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: "made-1" })
  expect(posts()).toBe(1)
})

test.each([
  ["drops the connection", () => HttpResponse.error(), "unavailable"],
  ["fails", () => HttpResponse.json({}, { status: 503 }), "unavailable"],
  ["returns an HTML page", () => HttpResponse.html("<h1>Hello</h1>"), "unreadable"],
  ["rejects the request", () => HttpResponse.json([], { status: 422 }), "refused"],
] as const)(
  "BTCPay startPayment sends the create request only once when the server %s",
  async (_, respond, kind) => {
    let posts = 0
    server.use(
      http.get(INVOICES, () => HttpResponse.json([])),
      http.post(INVOICES, () => {
        posts++
        return respond()
      }),
    )
    await expect(gateway.startPayment(payment)).rejects.toMatchObject({ name: "GatewayError", kind })
    expect(posts).toBe(1)
  },
)

test("BTCPay startPayment creates no invoice while the search fails", async () => {
  let posts = 0
  server.use(
    http.get(INVOICES, () => HttpResponse.json({}, { status: 503 })),
    http.post(INVOICES, () => {
      posts++
    }),
  )
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "unavailable" })
  expect(posts).toBe(0)
})

test("BTCPay startPayment succeeds after an earlier failure", async () => {
  server.use(http.get(INVOICES, () => HttpResponse.json([], { status: 403 }), { once: true }))
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "refused" })
  billingWith([])
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: "made-1" })
})

test("BTCPay startPayment accepts an existing invoice with amount 12.5 for 12.50", async () => {
  billingWith([btcpayInvoice({ id: "i1", ...untouched, amount: "12.5" })])
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: "i1" })
})

/** Serves these invoices and created ones, newest first; returns a function that counts the create requests. */
function billingWith(invoices: unknown[], respond?: () => Response) {
  let posts = 0
  server.use(
    http.get(INVOICES, () => HttpResponse.json(invoices)),
    http.post(INVOICES, () => {
      const made = btcpayInvoice({ id: `made-${++posts}`, ...untouched })
      invoices.unshift(made)
      return respond?.() ?? HttpResponse.json(made)
    }),
  )
  return () => posts
}
