import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money"
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
  ...{ url: BTCPAY_URL, store: BTCPAY_STORE, key: BTCPAY_KEY, webhookSecrets: [BTCPAY_HOOK] },
  ...{ timeoutMs: 5_000, retryDelaysMs: [1, 1], now: () => NOON },
})
const payment: PaymentRequest = {
  ...{ attemptId: "attempt-7", orderId: "ORDER7", amount: money(1250, "EUR"), locale: defaultLocale },
  ...{ returnUrl: "https://shop.test/back", cancelUrl: "https://shop.test/no" },
  ...{ callbackUrl: "https://shop.test/callback", startedAt: NOON, expiresAt: NOON + 3_600_000 },
}
const untouched = { status: "New", paidAmount: "0" }

test("an attempt that has an invoice already gets that one, and no second one is made", async () => {
  const posts = billingWith([btcpayInvoice({ id: "i1", ...untouched })])
  const opened = await gateway.startPayment(payment)
  expect(opened).toEqual({ paymentId: "i1", url: `${BTCPAY_URL}/i/i1`, endsAt: expect.any(Number) })
  expect(posts()).toBe(0)
})

test("of two invoices of one attempt it is always the older one", async () => {
  billingWith([btcpayInvoice({ id: "newer", ...untouched }), btcpayInvoice({ id: "older", ...untouched })])
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: "older" })
})

test("invoices of others are not taken, should the server show them too", async () => {
  const metadata = { orderId: "attempt-8", attemptId: "attempt-8" }
  const posts = billingWith([btcpayInvoice({ id: "theirs", ...untouched, metadata })])
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: "made-1" })
  expect(posts()).toBe(1)
})

test("two requests of one attempt at the same time are one invoice", async () => {
  const posts = billingWith([])
  const [first, second] = await Promise.all([gateway.startPayment(payment), gateway.startPayment(payment)])
  expect(second).toEqual(first)
  expect(posts()).toBe(1)
})

test("an invoice that was made though the answer was lost is found, and not made again", async () => {
  const posts = billingWith([], () => HttpResponse.error())
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: "made-1" })
  expect(posts()).toBe(1)
})

test.each([
  ["gives no answer", () => HttpResponse.error(), "unavailable"],
  ["fails", () => HttpResponse.json({}, { status: 503 }), "unavailable"],
  ["answers with a page", () => HttpResponse.html("<h1>Hello</h1>"), "unreadable"],
  ["says no", () => HttpResponse.json([], { status: 422 }), "refused"],
] as const)("a server that %s is never asked for an invoice twice", async (_, answer, kind) => {
  let posts = 0
  server.use(
    http.get(INVOICES, () => HttpResponse.json([])),
    http.post(INVOICES, () => {
      posts++
      return answer()
    }),
  )
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ name: "GatewayError", kind })
  expect(posts).toBe(1)
})

test("while its books cannot be read nothing is opened", async () => {
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

test("after a failure the next try starts anew", async () => {
  server.use(http.get(INVOICES, () => HttpResponse.json([], { status: 403 }), { once: true }))
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "refused" })
  billingWith([])
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: "made-1" })
})

test("an invoice whose amount is written otherwise is still the same", async () => {
  billingWith([btcpayInvoice({ id: "i1", ...untouched, amount: "12.5" })])
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: "i1" })
})

/** The provider with these invoices, newest first, and those made from now on; says how many were asked for. */
function billingWith(invoices: unknown[], answer?: () => Response) {
  let posts = 0
  server.use(
    http.get(INVOICES, () => HttpResponse.json(invoices)),
    http.post(INVOICES, () => {
      const made = btcpayInvoice({ id: `made-${++posts}`, ...untouched })
      invoices.unshift(made)
      return answer?.() ?? HttpResponse.json(made)
    }),
  )
  return () => posts
}
