import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { localeOfIso } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { GatewayError, type PaymentRequest } from "~/gateways/gateway"
import { gatewayContract } from "../../../tests/contracts/gateway/gateway-contract"
import {
  BTCPAY_HOOK,
  BTCPAY_KEY,
  BTCPAY_STORE,
  BTCPAY_URL,
  btcpayCallback,
  btcpayInvoice,
  INVOICES,
  invoiceSettled,
} from "../../../tests/fakes/btcpay"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { openBtcpay } from "./btcpay.server"

const server = interceptUpstreams()

const NOON = Date.UTC(2026, 10, 20, 12)
const HOUR = 3_600_000
const settings = {
  url: BTCPAY_URL,
  store: BTCPAY_STORE,
  key: BTCPAY_KEY,
  webhookSecrets: [BTCPAY_HOOK],
  timeoutMs: 5_000,
  retryDelaysMs: [1, 1],
  now: () => NOON,
}
const gateway = openBtcpay(settings)
const payment: PaymentRequest = {
  attemptId: "attempt-7",
  startedAt: NOON,
  orderId: "ORDER7",
  amount: money(1250, "EUR"),
  returnUrl: "https://shop.test/checkout/de-de/waiting?returned",
  cancelUrl: "https://shop.test/checkout/de-de/waiting",
  callbackUrl: "https://shop.test/checkout/api/payments/btcpay/callback",
  expiresAt: NOON + 24 * HOUR,
  locale: localeOfIso("de-DE"),
}

gatewayContract("btcpay", {
  gateway,
  payment,
  onlyHints: true,
  paid: btcpayCallback({ body: invoiceSettled(), at: NOON }),
  forged: btcpayCallback({ body: invoiceSettled(), at: NOON, secret: "another-secret" }),
})

test("BTCPay startPayment sends the documented invoice request with the API key", async () => {
  const { requests, keys } = watchPosts()
  await gateway.startPayment({ ...payment, attemptId: "attempt-9" })
  expect(keys).toEqual(["token dev-api-key"])
  expect(requests).toEqual([
    {
      amount: "12.50",
      currency: "EUR",
      metadata: { orderId: "attempt-9", attemptId: "attempt-9", itemDesc: "Order ORDER7" },
      checkout: {
        expirationMinutes: 60,
        monitoringMinutes: 10_080,
        paymentTolerance: 0,
        redirectURL: payment.returnUrl,
        redirectAutomatically: true,
        defaultLanguage: "de-DE",
      },
    },
  ])
})

test.each([
  ["has almost passed", NOON + 20_000, 5],
  ["has passed", NOON - HOUR, 5],
  ["is in 24.5 minutes", NOON + 0.4 * HOUR + 30_000, 24],
  ["is a week away", NOON + 168 * HOUR, 60],
])(
  "a BTCPay invoice for an order whose deadline %s expires within the allowed bounds",
  async (_, expiresAt, minutes) => {
    const { requests } = watchPosts()
    await gateway.startPayment({ ...payment, attemptId: `attempt-until-${expiresAt}`, expiresAt })
    expect(requests).toMatchObject([{ checkout: { expirationMinutes: minutes } }])
  },
)

test.each([
  ["an empty store id", { store: "" }, /BTCPAY_STORE/],
  ["an empty API key", { key: "" }, /BTCPAY_KEY/],
  ["a missing webhook secret", { webhookSecrets: [] }, /BTCPAY_WEBHOOK_SECRET/],
  ["an empty webhook secret", { webhookSecrets: [""] }, /BTCPAY_WEBHOOK_SECRET/],
])("openBtcpay throws an error with the name of the setting for %s", (_, wrong, pattern) => {
  expect(() => openBtcpay({ ...settings, ...wrong })).toThrow(pattern)
})

test("openBtcpay rejects an API key with a line break without quoting it", () => {
  const key = "half a\nkey"
  expect(() => openBtcpay({ ...settings, key })).toThrow(new Error("BTCPAY_KEY is missing or malformed"))
})

test("BTCPay requests keep the path of the configured base URL", async () => {
  const below = openBtcpay({ ...settings, url: `${BTCPAY_URL}/btc` })
  server.use(
    http.get(`${BTCPAY_URL}/btc/api/v1/stores/${BTCPAY_STORE}/invoices/i1`, () =>
      HttpResponse.json(btcpayInvoice({ id: "i1" })),
    ),
  )
  expect(await below.fetchPayment({ paymentId: "i1" })).toMatchObject({ status: "paid" })
})

test.each([
  ["elsewhere", "https://evil.test/i/1"],
  ["to a host with the server's name as prefix", "https://btcpay.test.evil.test/i/1"],
  ["to an http URL", "http://btcpay.test/i/1"],
  ["to a javascript: URL", "javascript:alert(1)"],
])("BTCPay startPayment never redirects the buyer %s", async (_, checkoutLink) => {
  server.use(http.get(INVOICES, () => HttpResponse.json([btcpayInvoice({ checkoutLink })])))
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "unreadable" })
})

test.each([
  ["a wrong amount", { amount: "12.49" }],
  ["a wrong currency", { currency: "USD" }],
  ["an unsupported currency", { currency: "BTC" }],
  ["a wrong attempt", { metadata: { attemptId: "attempt-8" } }],
  ["another store", { storeId: "store-2" }],
  ["the type TopUp", { type: "TopUp" }],
])("BTCPay startPayment rejects a created invoice with %s", async (_, changes) => {
  const wrong = HttpResponse.json(btcpayInvoice({ status: "New", paidAmount: "0", ...changes }))
  server.use(
    http.get(INVOICES, () => HttpResponse.json([])),
    http.post(INVOICES, () => wrong),
  )
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "unreadable" })
})

test.each([
  ["an unknown status", { status: "HalfPaid" }],
  ["an unknown additionalStatus", { additionalStatus: "Perhaps" }],
  ["a malformed amount", { amount: "12,50" }],
  ["no amount", { amount: null }],
  ["a fraction of a cent", { paidAmount: "12.505" }],
  ["a negative amount", { paidAmount: "-1.00" }],
  ["a JSON number as amount", { paidAmount: 12.5 }],
  ["no attemptId", { metadata: { orderId: "31" } }],
  ["a wrong invoice id", { id: "another" }],
  ["another store", { storeId: "store-2" }],
])("BTCPay fetchPayment throws an unreadable error for a response with %s", async (_, changes) => {
  server.use(http.get(`${INVOICES}/i1`, () => HttpResponse.json(btcpayInvoice({ id: "i1", ...changes }))))
  const call = gateway.fetchPayment({ paymentId: "i1" })
  await expect(call).rejects.toThrow(GatewayError)
  await expect(call).rejects.toMatchObject({ kind: "unreadable" })
})

test.each([
  ["refused", () => HttpResponse.json({ code: "missing-permission" }, { status: 403 })],
  ["refused", () => HttpResponse.json({ code: "invoice-not-found" }, { status: 404 })],
  ["unavailable", () => HttpResponse.json({}, { status: 503 })],
  ["unavailable", () => HttpResponse.error()],
  ["unreadable", () => HttpResponse.html("<h1>Maintenance</h1>")],
  ["unreadable", () => HttpResponse.redirect("https://evil.test/")],
] as const)(
  "BTCPay fetchPayment throws an error of kind %s without the API key in its message",
  async (kind, respond) => {
    server.use(http.get(`${INVOICES}/i1`, respond))
    const failure: unknown = await gateway.fetchPayment({ paymentId: "i1" }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: "GatewayError", kind })
    expect(String(failure)).not.toContain(BTCPAY_KEY)
  },
)

/** Records the bodies and API keys of the following create requests. */
function watchPosts() {
  const requests: unknown[] = []
  const keys: (string | null)[] = []
  server.use(
    http.post(INVOICES, async ({ request }) => {
      keys.push(request.headers.get("authorization"))
      requests.push(await request.clone().json())
    }),
  )
  return { requests, keys }
}
