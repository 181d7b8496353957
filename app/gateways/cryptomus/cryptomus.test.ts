import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { localeOfIso } from "~/domain/locales"
import { money } from "~/domain/money"
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
  ...{ url: CRYPTOMUS_URL, merchant: CRYPTOMUS_MERCHANT, paymentKey: CRYPTOMUS_KEY },
  ...{ timeoutMs: 5_000, retryDelaysMs: [1, 1], now: () => NOON },
}
const gateway = openCryptomus(settings)
const payment: PaymentRequest = {
  ...{ attemptId: "attempt-7", startedAt: NOON, orderId: "ORDER7", amount: money(1250, "EUR") },
  returnUrl: "https://shop.test/checkout/de-de/waiting?returned",
  cancelUrl: "https://shop.test/checkout/de-de/waiting",
  callbackUrl: "https://shop.test/checkout/api/payments/cryptomusgateway/callback",
  ...{ expiresAt: NOON + 3_600_000, locale: localeOfIso("de-DE") },
}

gatewayContract("cryptomus", {
  ...{ gateway, payment },
  paid: cryptomusCallback(),
  forged: cryptomusCallback({ key: "somebody-else" }),
})

test("an invoice is asked for as the provider's contract says, and the bytes that are sent are signed", async () => {
  const { body, headers, text } = await asked(() => gateway.startPayment(payment))
  expect(body).toEqual({
    ...{ amount: "12.50", currency: "EUR", order_id: "boxoffice-attempt-7", additional_data: "ORDER7" },
    ...{ url_return: payment.cancelUrl, url_success: payment.returnUrl, url_callback: payment.callbackUrl },
    ...{ is_payment_multiple: true, lifetime: 3_600 },
  })
  expect(headers.get("merchant")).toBe(CRYPTOMUS_MERCHANT)
  expect(headers.get("sign")).toBe(cryptomusSign(text))
  expect(headers.get("content-type")).toBe("application/json")
  // The order's name is what a repeat is known by.
  expect(headers.get("idempotency-key")).toBeNull()
})

test("a buyer who has chosen a coin gets an invoice in that coin on that network", async () => {
  const coin = { currency: "USDT", network: "tron" }
  const { body } = await asked(() => gateway.startPayment({ ...payment, coin }))
  expect(body).toMatchObject({ currency: "EUR", to_currency: "USDT", network: "tron" })
})

test.each([
  ["a minute", 60_000, 300],
  ["no time at all", -1, 300],
  ["five minutes", 300_000, 300],
  ["an hour and a bit", 3_600_999, 3_600],
  ["twelve hours", 43_200_000, 43_200],
  ["a day", 86_400_000, 43_200],
])("an order that lasts %s gets an invoice within what the provider allows", async (_, left, lifetime) => {
  const { body } = await asked(() => gateway.startPayment({ ...payment, expiresAt: NOON + left }))
  expect(body).toMatchObject({ lifetime })
})

test("a price is sent as text, to the cent", async () => {
  const { body } = await asked(() => gateway.startPayment({ ...payment, amount: money(5, "GBP") }))
  expect(body).toMatchObject({ amount: "0.05", currency: "GBP" })
})

test("a question about a payment names the invoice alone, and is asked again when nobody answers", async () => {
  let tries = 0
  server.use(
    http.post(`${CRYPTOMUS_URL}/payment/info`, () =>
      ++tries < 3 ? new HttpResponse(null, { status: 502 }) : undefined,
    ),
  )
  const { body } = await asked(() => gateway.fetchPayment({ paymentId: INVOICE }))
  expect([tries, body]).toEqual([3, { uuid: INVOICE }])
})

test.each([
  ["another amount", { amount: "1.00" }],
  ["another currency", { currency: "USD" }],
  ["another order", { order_id: "boxoffice-attempt-8" }],
  ["an order of other software", { order_id: "whmcs_id_77" }],
  ["a pay page at somebody else's", { url: "https://evil.test/pay/1" }],
  ["a pay page that is a script", { url: "javascript:alert(1)" }],
  ["no pay page", { url: null }],
  ["a currency the shop does not have", { currency: "RUB" }],
  ["a fraction of a cent", { amount: "12.505" }],
  ["a name that leads elsewhere", { uuid: "../balance" }],
])("an invoice with %s is not what was asked for", async (_, changes) => {
  const invoice = cryptomusInvoice({ status: "check", is_final: false, ...changes })
  server.use(cryptomusResponses("payment", invoice))
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "unreadable" })
})

test("eight places are compared as what they are worth", async () => {
  server.use(cryptomusResponses("payment", cryptomusInvoice({ amount: "12.50000000", status: "check" })))
  expect(await gateway.startPayment(payment)).toMatchObject({ paymentId: INVOICE })
})

test.each([
  ["a wrong signature", 401, { state: 1, message: "Invalid sign" }, "refused"],
  ["a field it does not take", 422, { state: 1, errors: { amount: ["validation.required"] } }, "refused"],
  ["a no that comes as a yes", 200, { state: 1, message: "Payment not found" }, "refused"],
  ["success without a result", 200, { state: 0 }, "unreadable"],
  ["nothing", 200, {}, "unreadable"],
  ["too many questions", 429, { state: 1 }, "unavailable"],
  ["its own trouble", 500, {}, "unavailable"],
])("%s (HTTP %i) is a failure of its kind", async (_, status, body, kind) => {
  server.use(http.post(`${CRYPTOMUS_URL}/payment`, () => HttpResponse.json(body, { status })))
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ name: "GatewayError", kind })
})

test("an answer about another invoice than was asked about is not taken", async () => {
  server.use(cryptomusResponses("payment/info", cryptomusInvoice({ uuid: "another" })))
  await expect(gateway.fetchPayment({ paymentId: INVOICE })).rejects.toMatchObject({ kind: "unreadable" })
})

test("what goes wrong is told without the key and without what was said", async () => {
  const message = "mail ana@example.test about devPaymentKey0001"
  server.use(http.post(`${CRYPTOMUS_URL}/payment`, () => HttpResponse.json({ state: 1, message })))
  await expect(gateway.startPayment(payment)).rejects.not.toThrow(/ana@|devPaymentKey/)
})

test("one module speaks to the other provider too, whose pay page has an origin of its own", async () => {
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
])("without a %s it does not open, and says which setting is missing", (_, wrong, pattern) => {
  expect(() => openCryptomus({ ...settings, ...wrong })).toThrow(pattern)
})

/** What the provider was asked last. */
async function asked(question: () => Promise<unknown>) {
  let last: Request | undefined
  const watch = ({ request }: { request: Request }) => {
    last = request.clone()
  }
  server.events.on("request:start", watch)
  await question().finally(() => server.events.removeListener("request:start", watch))
  const text = (await last?.text()) ?? ""
  return { text, headers: last?.headers ?? new Headers(), body: JSON.parse(text) as unknown }
}
