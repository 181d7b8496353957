import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { localeOfIso } from "~/domain/locales"
import { money } from "~/domain/money"
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
  ...{ url: BTCPAY_URL, store: BTCPAY_STORE, key: BTCPAY_KEY, webhookSecrets: [BTCPAY_HOOK] },
  ...{ timeoutMs: 5_000, retryDelaysMs: [1, 1], now: () => NOON },
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
  forged: btcpayCallback({ body: invoiceSettled(), at: NOON, secret: "somebody-else" }),
})

test("an invoice is asked for as the provider's contract says, with the shop's key", async () => {
  const { asked, keys } = watchPosts()
  await gateway.startPayment({ ...payment, attemptId: "attempt-9" })
  expect(keys).toEqual(["token dev-api-key"])
  expect(asked).toEqual([
    {
      amount: "12.50",
      currency: "EUR",
      metadata: { orderId: "attempt-9", attemptId: "attempt-9", itemDesc: "Order ORDER7" },
      checkout: {
        ...{ expirationMinutes: 60, monitoringMinutes: 10_080, paymentTolerance: 0 },
        ...{ redirectURL: payment.returnUrl, redirectAutomatically: true, defaultLanguage: "de-DE" },
      },
    },
  ])
})

test.each([
  ["has almost passed", NOON + 20_000, 5],
  ["has passed", NOON - HOUR, 5],
  ["is in two fifths of an hour and a bit", NOON + 0.4 * HOUR + 30_000, 25],
  ["is a week away", NOON + 168 * HOUR, 60],
])("an order whose deadline %s gets a rate for a sensible time", async (_, expiresAt, minutes) => {
  const { asked } = watchPosts()
  await gateway.startPayment({ ...payment, attemptId: `attempt-until-${expiresAt}`, expiresAt })
  expect(asked).toMatchObject([{ checkout: { expirationMinutes: minutes } }])
})

test.each([
  ["no address of the store", { store: "" }, /BTCPAY_STORE/],
  ["no key", { key: "" }, /BTCPAY_KEY/],
  ["no secret for callbacks", { webhookSecrets: [] }, /BTCPAY_WEBHOOK_SECRET/],
  ["an empty secret for callbacks", { webhookSecrets: [""] }, /BTCPAY_WEBHOOK_SECRET/],
])("%s stops the start in words", (_, wrong, pattern) => {
  expect(() => openBtcpay({ ...settings, ...wrong })).toThrow(pattern)
})

test("a key that cannot be sent stops the start, and is not repeated", () => {
  const key = "half a\nkey"
  expect(() => openBtcpay({ ...settings, key })).toThrow(new Error("BTCPAY_KEY is missing or malformed"))
})

test("a server that lives below a path of its own is asked there", async () => {
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
  ["to a host that only looks like the provider's", "https://btcpay.test.evil.test/i/1"],
  ["without encryption", "http://btcpay.test/i/1"],
  ["into a script", "javascript:alert(1)"],
])("the buyer is never sent %s", async (_, checkoutLink) => {
  server.use(http.get(INVOICES, () => HttpResponse.json([btcpayInvoice({ checkoutLink })])))
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "unreadable" })
})

test.each([
  ["another amount", { amount: "12.49" }],
  ["another currency", { currency: "USD" }],
  ["a currency the shop does not have", { currency: "BTC" }],
  ["another attempt", { metadata: { attemptId: "attempt-8" } }],
  ["another store", { storeId: "store-2" }],
  ["any amount there may be", { type: "TopUp" }],
])("an invoice over %s than was asked for is not shown to the buyer", async (_, changes) => {
  const wrong = HttpResponse.json(btcpayInvoice({ status: "New", paidAmount: "0", ...changes }))
  server.use(
    http.get(INVOICES, () => HttpResponse.json([])),
    http.post(INVOICES, () => wrong),
  )
  await expect(gateway.startPayment(payment)).rejects.toMatchObject({ kind: "unreadable" })
})

test.each([
  ["a status nobody knows", { status: "HalfPaid" }],
  ["an explanation nobody knows", { additionalStatus: "Perhaps" }],
  ["an amount that is none", { amount: "12,50" }],
  ["no amount", { amount: null }],
  ["a fraction of a cent", { paidAmount: "12.505" }],
  ["less than nothing", { paidAmount: "-1.00" }],
  ["a number for an amount", { paidAmount: 12.5 }],
  ["no word of our attempt", { metadata: { orderId: "31" } }],
  ["another invoice", { id: "another" }],
  ["another store", { storeId: "store-2" }],
])("an answer with %s is unreadable, and nothing is guessed", async (_, changes) => {
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
] as const)("a server that is %s says so, and never by the key", async (kind, answer) => {
  server.use(http.get(`${INVOICES}/i1`, answer))
  const failure: unknown = await gateway.fetchPayment({ paymentId: "i1" }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: "GatewayError", kind })
  expect(String(failure)).not.toContain(BTCPAY_KEY)
})

/** What is posted from here on, and with which key. */
function watchPosts() {
  const asked: unknown[] = []
  const keys: (string | null)[] = []
  server.use(
    http.post(INVOICES, async ({ request }) => {
      keys.push(request.headers.get("authorization"))
      asked.push(await request.clone().json())
    }),
  )
  return { asked, keys }
}
