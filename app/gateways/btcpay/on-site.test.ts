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
  btcpayMethod,
  btcpayPayment,
  INVOICES,
  STORE_METHODS,
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
const bitcoin = { currency: "BTC", network: "CHAIN" }
const payment: PaymentRequest = {
  attemptId: "attempt-coin",
  orderId: "ORDER7",
  amount: money(1250, "EUR"),
  locale: defaultLocale,
  returnUrl: "https://shop.test/back",
  cancelUrl: "https://shop.test/no",
  callbackUrl: "https://shop.test/callback",
  startedAt: NOON,
  expiresAt: NOON + 3_600_000,
  coin: bitcoin,
}
const open = {
  id: "i1",
  status: "New",
  paidAmount: "0",
  metadata: { orderId: "attempt-coin", attemptId: "attempt-coin", coin: "BTC-CHAIN" },
}

test("BTCPay coins() lists the store's payment methods as coin and network, in the store's order", async () => {
  expect(await gateway.onSite?.coins()).toEqual([
    { currency: "BTC", network: "CHAIN" },
    { currency: "BTC", network: "LN" },
    { currency: "LTC", network: "CHAIN" },
  ])
})

test("BTCPay coins() omits disabled methods, LNURL and methods without a network", async () => {
  server.use(
    http.get(STORE_METHODS, ({ request }) => {
      expect(new URL(request.url).search).toBe("?onlyEnabled=true")
      return HttpResponse.json([
        { paymentMethodId: "BTC-LNURL", enabled: true },
        { paymentMethodId: "LTC-CHAIN", enabled: false },
        { paymentMethodId: "CASH", enabled: true },
        { paymentMethodId: "XMR-CHAIN", enabled: true },
      ])
    }),
  )
  expect(await gateway.onSite?.coins()).toEqual([{ currency: "XMR", network: "CHAIN" }])
})

test("BTCPay coins() throws a refused error when the API key lacks the permission", async () => {
  server.use(http.get(STORE_METHODS, () => HttpResponse.json({}, { status: 403 })))
  await expect(gateway.onSite?.coins()).rejects.toMatchObject({ name: "GatewayError", kind: "refused" })
})

test("BTCPay startPayment with a coin allows only that payment method and disables lazy addresses", async () => {
  let requested: unknown
  server.use(
    http.post(INVOICES, async ({ request }) => {
      requested = await request.clone().json()
    }),
  )
  await gateway.startPayment(payment)
  expect(requested).toMatchObject({
    metadata: { orderId: "attempt-coin", attemptId: "attempt-coin", coin: "BTC-CHAIN" },
    checkout: {
      paymentMethods: ["BTC-CHAIN"],
      defaultPaymentMethod: "BTC-CHAIN",
      lazyPaymentMethods: false,
    },
  })
})

test.each([
  ["another coin", { currency: "LTC", network: "CHAIN" }],
  ["no coin", undefined],
])("BTCPay startPayment refuses %s for an attempt whose invoice has a coin", async (_, coin) => {
  server.use(http.get(INVOICES, () => HttpResponse.json([btcpayInvoice(open)])))
  const { coin: _chosen, ...hosted } = payment
  const again = gateway.startPayment(coin ? { ...hosted, coin } : hosted)
  await expect(again).rejects.toMatchObject({ name: "GatewayError", kind: "refused" })
})

test("BTCPay transfer() returns coin, amount, address, URI and expiry of an unpaid invoice", async () => {
  provider(open, [btcpayMethod({ paymentMethodId: "LTC-CHAIN", destination: "rltc1q" }), btcpayMethod()])
  expect(await gateway.onSite?.transfer({ paymentId: "i1" })).toEqual({
    coin: bitcoin,
    amount: "0.00025",
    address: "bcrt1qdestination",
    uri: "bitcoin:bcrt1qdestination?amount=0.00025000",
    expiresAt: 1_795_262_400_000,
    seen: "0",
    confirmations: null,
  })
})

test("BTCPay transfer() counts unconfirmed payments as seen and ignores invalid ones", async () => {
  const payments = [
    btcpayPayment("0.00010000", "Settled"),
    btcpayPayment("0.00005", "Processing"),
    btcpayPayment("1.00000000", "Invalid"),
  ]
  provider({ ...open, paidAmount: "7.50" }, [btcpayMethod({ due: "0.0001", payments })])
  expect(await gateway.onSite?.transfer({ paymentId: "i1" })).toMatchObject({
    amount: "0.0001",
    seen: "0.00015",
  })
})

test("BTCPay transfer() returns amount 0 after an overpayment", async () => {
  const payments = [btcpayPayment("0.0004", "Processing")]
  provider({ ...open, status: "Processing" }, [btcpayMethod({ due: "-0.00015", payments })])
  expect(await gateway.onSite?.transfer({ paymentId: "i1" })).toMatchObject({ amount: "0", seen: "0.0004" })
})

test("BTCPay transfer() uses the address as URI when paymentLink is empty", async () => {
  provider(open, [btcpayMethod({ paymentLink: "" })])
  expect(await gateway.onSite?.transfer({ paymentId: "i1" })).toMatchObject({ uri: "bcrt1qdestination" })
})

test.each([
  ["was created without a coin", { metadata: { attemptId: "attempt-7" } }],
  ["is paid", { status: "Settled" }],
  ["has expired", { status: "Expired" }],
  ["has been closed", { status: "Invalid" }],
])("BTCPay transfer() returns null for an invoice that %s", async (_, changes) => {
  provider({ ...open, ...changes }, [btcpayMethod()])
  expect(await gateway.onSite?.transfer({ paymentId: "i1" })).toBeNull()
})

test.each([
  ["lacks the chosen payment method", [btcpayMethod({ paymentMethodId: "LTC-CHAIN" })]],
  ["has no destination", [btcpayMethod({ destination: null })]],
  ["has a malformed due amount", [btcpayMethod({ due: "much" })]],
])("BTCPay transfer() throws an unreadable error for an invoice that %s", async (_, methods) => {
  provider(open, methods)
  await expect(gateway.onSite?.transfer({ paymentId: "i1" })).rejects.toMatchObject({
    name: "GatewayError",
    kind: "unreadable",
  })
})

function provider(invoice: Record<string, unknown>, methods: unknown[]) {
  server.use(
    http.get(`${INVOICES}/i1`, () => HttpResponse.json(btcpayInvoice(invoice))),
    http.get(`${INVOICES}/i1/payment-methods`, () => HttpResponse.json(methods)),
  )
}
