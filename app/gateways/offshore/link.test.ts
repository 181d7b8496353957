import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { localeOfIso } from "~/domain/locales"
import { money } from "~/domain/money/money"
import type { PaymentRequest } from "~/gateways/gateway"
import { gatewayContract } from "../../../tests/contracts/gateway/gateway-contract"
import {
  OFFSHORE_LINKS,
  OFFSHORE_SECRET,
  offshoreCallback,
  paymentUpdated,
} from "../../../tests/fakes/offshore"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { signedQuery } from "./link.server"
import { openOffshore } from "./offshore.server"

const server = interceptUpstreams()

const NOON = Date.UTC(2026, 10, 20, 12)
const settings = {
  url: "https://links.test/v1",
  callbackSecrets: [OFFSHORE_SECRET],
  timeoutMs: 5_000,
  link: OFFSHORE_LINKS,
}
const gateway = openOffshore(settings)
const payment: PaymentRequest = {
  attemptId: "attempt-7",
  startedAt: NOON,
  orderId: "ORDER7",
  amount: money(1250, "EUR"),
  returnUrl: "https://shop.test/checkout/de-de/waiting?returned&resume=a.b",
  cancelUrl: "https://shop.test/checkout/de-de/waiting?resume=a.b",
  callbackUrl: "https://shop.test/checkout/api/payments/offshore/callback",
  expiresAt: NOON + 86_400_000,
  locale: localeOfIso("de-DE"),
}

gatewayContract("offshore, by links", {
  gateway,
  payment,
  paid: offshoreCallback({ body: paymentUpdated(), at: NOON }),
  forged: offshoreCallback({
    body: paymentUpdated(),
    at: NOON,
    secret: `${OFFSHORE_SECRET.slice(0, -5)}AAAA=`,
  }),
  cannotBePolled: true,
})

test("signedQuery() matches the reference test vector", () => {
  const parameters = {
    ts: "1767225600",
    merchant: "m_1",
    invoice: "77",
    currency: "EUR",
    amount: "12.50",
    return_url: "https://shop.example/checkout/waiting",
  }
  expect(signedQuery(parameters, "dev-link-secret")).toBe(
    "amount=12.50&currency=EUR&invoice=77&merchant=m_1" +
      "&return_url=https%3A%2F%2Fshop.example%2Fcheckout%2Fwaiting&ts=1767225600" +
      "&sig=76f09454e2ac30d847272ff0343a50612ff96d1852e026efa047bb7bf9561cbc",
  )
})

test.each([
  ["a space", " ", "%20"],
  ["a plus", "+", "%2B"],
  ["characters that only RFC 3986 escapes", "!'()*", "%21%27%28%29%2A"],
  ["RFC 3986 unreserved characters", "-._~", "-._~"],
  ["letters beyond ASCII", "é€", "%C3%A9%E2%82%AC"],
  ["query delimiters", "&=%?#/", "%26%3D%25%3F%23%2F"],
])("signedQuery() percent-encodes names and values per RFC 3986: %s", (_, text, escaped) => {
  expect(signedQuery({ [text]: text }, "secret")).toMatch(`${escaped}=${escaped}&sig=`)
})

test("the offshore payment link contains amount, callback and return URLs, sorted and signed", async () => {
  const { url, paymentId } = await gateway.startPayment(payment)
  expect(paymentId).toBe("attempt-7")
  expect(url.split("?")[0]).toBe("https://links.test/v1/pay")
  expect([...new URL(url).searchParams]).toEqual([
    ["amount", "12.50"],
    ["callback_url", payment.callbackUrl],
    ["cancel_url", payment.cancelUrl],
    ["currency", "EUR"],
    ["expires_at", "2026-11-21T12:00:00.000Z"],
    ["invoice", "attempt-7"],
    ["merchant", "m_1"],
    ["return_url", payment.returnUrl],
    ["ts", String(NOON / 1_000)],
    ["sig", expect.stringMatching(/^[0-9a-f]{64}$/)],
  ])
})

test("offshore link mode sends no requests in startPayment, fetchPayment and closePayment", async () => {
  let calls = 0
  server.use(
    http.all("*", () => {
      calls++
      return HttpResponse.error()
    }),
  )
  const opened = await gateway.startPayment(payment)
  expect([await gateway.fetchPayment(opened), await gateway.closePayment(opened)]).toEqual([
    null,
    "stays-open",
  ])
  expect(calls).toBe(0)
})

test("the offshore link signature changes with the amount, the attempt and the secret", async () => {
  const others = [
    gateway.startPayment(payment),
    gateway.startPayment({ ...payment, amount: money(1251, "EUR") }),
    gateway.startPayment({ ...payment, attemptId: "attempt-8" }),
    openOffshore({ ...settings, link: { ...OFFSHORE_LINKS, secret: "another" } }).startPayment(payment),
  ]
  const signatures = (await Promise.all(others)).map(({ url }) => new URL(url).searchParams.get("sig"))
  expect(new Set(signatures).size).toBe(4)
})

test("the offshore link does not double a trailing slash of the base URL", async () => {
  const { url } = await openOffshore({ ...settings, url: "https://links.test/v1/" }).startPayment(payment)
  expect(url).toMatch(/^https:\/\/links\.test\/v1\/pay\?/)
})

test.each([
  ["an empty merchant", { merchant: "", secret: "secret" }, /OFFSHORE_MERCHANT/],
  ["an empty link secret", { merchant: "m_1", secret: "" }, /OFFSHORE_LINK_SECRET/],
])("openOffshore throws an error with the name of the setting for %s", (_, link, pattern) => {
  expect(() => openOffshore({ ...settings, link })).toThrow(pattern)
})
