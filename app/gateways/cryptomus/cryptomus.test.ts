import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { localeOfIso } from "~/domain/locales"
import { money } from "~/domain/money/money"
import type { PaymentRequest } from "~/gateways/gateway"
import { gatewayContract } from "../../../tests/contracts/gateway/gateway-contract"
import {
  CRYPTOMUS_KEY,
  CRYPTOMUS_MERCHANT,
  CRYPTOMUS_URL,
  cryptomusCallback,
  cryptomusInvoice,
  cryptomusResponses,
  cryptomusSign,
  INVOICE,
} from "../../../tests/fakes/cryptomus"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { openCryptomus } from "./cryptomus.server"

const server = interceptUpstreams()

const NOON = Date.UTC(2026, 10, 20, 12)
const settings = {
  url: CRYPTOMUS_URL,
  merchant: CRYPTOMUS_MERCHANT,
  paymentKey: CRYPTOMUS_KEY,
  timeoutMs: 5_000,
  retryDelaysMs: [1, 1],
  now: () => NOON,
}
const gateway = openCryptomus(settings)
const payment: PaymentRequest = {
  attemptId: "attempt-7",
  startedAt: NOON,
  orderId: "ORDER7",
  amount: money(1250, "EUR"),
  returnUrl: "https://shop.test/checkout/de-de/waiting?returned",
  cancelUrl: "https://shop.test/checkout/de-de/waiting",
  callbackUrl: "https://shop.test/checkout/api/payments/cryptomusgateway/callback",
  expiresAt: NOON + 3_600_000,
  locale: localeOfIso("de-DE"),
}

gatewayContract("cryptomus", {
  gateway,
  payment,
  paid: cryptomusCallback(),
  forged: cryptomusCallback({ key: "another-secret" }),
})

test("Cryptomus startPayment sends the documented request, signed over its exact bytes", async () => {
  const { body, headers, text } = await captureRequest(() => gateway.startPayment(payment))
  expect(body).toEqual({
    amount: "12.50",
    currency: "EUR",
    order_id: "boxoffice-attempt-7",
    additional_data: "ORDER7",
    url_return: payment.cancelUrl,
    url_success: payment.returnUrl,
    url_callback: payment.callbackUrl,
    is_payment_multiple: true,
    lifetime: 3_600,
  })
  expect(headers.get("merchant")).toBe(CRYPTOMUS_MERCHANT)
  expect(headers.get("sign")).toBe(cryptomusSign(text))
  expect(headers.get("content-type")).toBe("application/json")
  // `order_id` serves as the idempotency key.
  expect(headers.get("idempotency-key")).toBeNull()
})

test("Cryptomus startPayment with a coin sends its currency and network", async () => {
  const coin = { currency: "USDT", network: "tron" }
  const { body } = await captureRequest(() => gateway.startPayment({ ...payment, coin }))
  expect(body).toMatchObject({ currency: "EUR", to_currency: "USDT", network: "tron" })
})

test.each([
  ["a minute", 60_000, 300],
  ["-1 ms", -1, 300],
  ["five minutes", 300_000, 300],
  ["an hour and 999 ms", 3_600_999, 3_600],
  ["twelve hours", 43_200_000, 43_200],
  ["a day", 86_400_000, 43_200],
])(
  "a Cryptomus invoice for an order that lasts %s has a lifetime within the provider's limits",
  async (_, left, lifetime) => {
    const { body } = await captureRequest(() => gateway.startPayment({ ...payment, expiresAt: NOON + left }))
    expect(body).toMatchObject({ lifetime })
  },
)

test("Cryptomus startPayment sends the amount as text with two decimals", async () => {
  const { body } = await captureRequest(() => gateway.startPayment({ ...payment, amount: money(5, "GBP") }))
  expect(body).toMatchObject({ amount: "0.05", currency: "GBP" })
})

test("Cryptomus fetchPayment sends only the uuid and retries after 502", async () => {
  let attempts = 0
  server.use(
    http.post(`${CRYPTOMUS_URL}/payment/info`, () =>
      ++attempts < 3 ? new HttpResponse(null, { status: 502 }) : undefined,
    ),
  )
  const { body } = await captureRequest(() => gateway.fetchPayment({ paymentId: INVOICE }))
  expect([attempts, body]).toEqual([3, { uuid: INVOICE }])
})

test.each([
  ["a wrong amount", { amount: "1.00" }],
  ["a wrong currency", { currency: "USD" }],
  ["a wrong order id", { order_id: "boxoffice-attempt-8" }],
  ["an order id of other software", { order_id: "whmcs_id_77" }],
  ["a payment page at another origin", { url: "https://evil.test/pay/1" }],
  ["a javascript: URL as payment page", { url: "javascript:alert(1)" }],
  ["no payment page", { url: null }],
  ["an unsupported currency", { currency: "RUB" }],
  ["a fraction of a cent", { amount: "12.505" }],
  ["a path traversal as uuid", { uuid: "../balance" }],
])("Cryptomus startPayment throws an unreadable error for an invoice with %s", async (_, changes) => {
  const invoice = cryptomusInvoice({ status: "check", is_final: false, ...changes })
  server.use(cryptomusResponses("payment", invoice))
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "unreadable" })
})

test("Cryptomus startPayment accepts an invoice with amount 12.50000000 for 12.50", async () => {
  server.use(cryptomusResponses("payment", cryptomusInvoice({ amount: "12.50000000", status: "check" })))
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: INVOICE })
})

test.each([
  ["a wrong signature", 401, { state: 1, message: "Invalid sign" }, "refused"],
  ["an invalid field", 422, { state: 1, errors: { amount: ["validation.required"] } }, "refused"],
  ["an error with status 200", 200, { state: 1, message: "Payment not found" }, "refused"],
  ["success without a result", 200, { state: 0 }, "unreadable"],
  ["nothing", 200, {}, "unreadable"],
  ["a rate limit response", 429, { state: 1 }, "unavailable"],
  ["a server error", 500, {}, "unavailable"],
])(
  "Cryptomus startPayment maps %s (HTTP %i) to a GatewayError of the right kind",
  async (_, status, body, kind) => {
    server.use(http.post(`${CRYPTOMUS_URL}/payment`, () => HttpResponse.json(body, { status })))
    await expect(gateway.startPayment(payment)).rejects.toMatchObject({ name: "GatewayError", kind })
  },
)

test("Cryptomus fetchPayment throws an unreadable error for a response with another uuid", async () => {
  server.use(cryptomusResponses("payment/info", cryptomusInvoice({ uuid: "another" })))
  await expect(gateway.fetchPayment({ paymentId: INVOICE })).rejects.toMatchObject({ kind: "unreadable" })
})

test("Cryptomus error messages contain neither the payment key nor the provider's message", async () => {
  const message = "mail ana@example.test about devPaymentKey0001"
  server.use(http.post(`${CRYPTOMUS_URL}/payment`, () => HttpResponse.json({ state: 1, message })))
  await expect(gateway.startPayment(payment)).rejects.not.toThrow(/ana@|devPaymentKey/)
})

test("the Cryptomus module works with Heleket, whose payment page has another origin", async () => {
  const [url, payOrigin] = ["https://api.heleket.test/v1", "https://pay.heleket.test"]
  const heleket = openCryptomus({ ...settings, url, payOrigin })
  const result = cryptomusInvoice({ url: `${payOrigin}/pay/1`, status: "check", is_final: false })
  server.use(http.post(`${url}/payment`, () => HttpResponse.json({ state: 0, result })))
  expect(heleket.origins).toEqual([payOrigin, "https://api.heleket.test"])
  expect(await heleket.startPayment(payment)).toMatchObject({ paymentId: INVOICE, url: `${payOrigin}/pay/1` })
})

test.each([
  ["merchant", { merchant: "" }, /CRYPTOMUS_MERCHANT/],
  ["key", { paymentKey: "" }, /CRYPTOMUS_PAYMENT_KEY/],
])("openCryptomus without a %s throws an error with the name of the setting", (_, wrong, pattern) => {
  expect(() => openCryptomus({ ...settings, ...wrong })).toThrow(pattern)
})

/** Runs a call and returns its last request. */
async function captureRequest(call: () => Promise<unknown>) {
  let last: Request | undefined
  const watch = ({ request }: { request: Request }) => {
    last = request.clone()
  }
  server.events.on("request:start", watch)
  await call().finally(() => server.events.removeListener("request:start", watch))
  const text = (await last?.text()) ?? ""
  return { text, headers: last?.headers ?? new Headers(), body: JSON.parse(text) as unknown }
}
