import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { owned, payment, remoteSettings } from "../../../../tests/fakes/legacy-billing-fixtures"
import { interceptUpstreams } from "../../../../tests/fakes/server"
import { openRemote } from "./remote.server"

const server = interceptUpstreams()

const REMOTE_URL = "https://books.example.test"
const externalBilling = openRemote({ ...remoteSettings, url: REMOTE_URL })
const order = owned("7", { orderId: "9", invoiceId: "31", serviceId: "12", link: null })

test.each([
  ["offshore", "offshore", { invoice: "31" }],
  ["coinbase", "coinbase", { invoiceid: "31", clientid: "7", pid: "3" }],
  ["cryptomusgateway", "cryptomus", { invoiceid: "31", clientid: "7", pid: "3" }],
  ["btcpay", "btcpay", { invoiceid: "31", clientid: "7", pid: "3" }],
] as const)(
  "a payment URL of %s is requested from /%s, and its origin is known afterwards",
  async (gateway, path, names) => {
    const known = openRemote({
      ...remoteSettings,
      url: REMOTE_URL,
      payOrigins: ["https://desk.example.test"],
    })
    const requests = recordCalls(path, { link: `https://${path}.example.test/pay/31` })
    expect(known.payments?.origins(gateway)).toEqual(["https://desk.example.test"])
    expect(await known.payments?.link(payment(order, gateway))).toBe(`https://${path}.example.test/pay/31`)
    expect(known.payments?.origins(gateway)).toEqual([
      "https://desk.example.test",
      `https://${path}.example.test`,
    ])
    expect(requests[0]).toMatchObject({
      ...names,
      amount: "12.50",
      currency: "EUR",
      attempt: "attempt-1",
      locale: "es-es",
      returnurl: "https://shop.example.test/checkout/waiting?resume=r",
    })
  },
)

test.each(["http://pay.example.test/31", "javascript:alert(1)", "https://a:b@pay.example.test/", "", "31"])(
  "the payment URL %j is rejected as unreadable",
  async (link) => {
    recordCalls("offshore", { link })
    await expect(externalBilling.payments?.link(payment(order, "offshore"))).rejects.toMatchObject({
      kind: "unreadable",
    })
  },
)

test.each(["cryptomusgateway", "btcpay"] as const)(
  "without a call for %s, only the payment URL of the order is used",
  async (gateway) => {
    const path = gateway === "btcpay" ? "btcpay" : "cryptomus"
    server.use(http.get(`${REMOTE_URL}/checkout/api/${path}`, () => new HttpResponse(null, { status: 404 })))
    const linked = { ...order, link: "https://pay.example.test/31" }
    expect(await externalBilling.payments?.link(payment(linked, gateway))).toBe("https://pay.example.test/31")
    await expect(externalBilling.payments?.link(payment(order, gateway))).rejects.toMatchObject({
      kind: "refused",
    })
  },
)

test("the gateway list provides origins of payment pages before the first payment", async () => {
  const paymentmethod = { module: "offshore", displayname: "Cards", origin: "https://cards.example.test" }
  recordCalls("getGateway", { paymentmethods: { paymentmethod } })
  expect(await externalBilling.gateways()).toEqual(["offshore"])
  expect(externalBilling.payments?.origins("offshore")).toEqual(["https://cards.example.test"])
})

test.each([
  ["a text", "https://pay.example.test/31"],
  ["a url", { url: "https://pay.example.test/31" }],
  ["a payment_url", { result: "success", payment_url: "https://pay.example.test/31" }],
])("a payment URL is parsed from %s", async (_, request) => {
  recordCalls("offshore", request)
  expect(await externalBilling.payments?.link(payment(order, "offshore"))).toBe("https://pay.example.test/31")
})

test("an order without an external invoice has no payment URL", async () => {
  const free = { ...order, invoiceId: null }
  await expect(externalBilling.payments?.link(payment(free, "offshore"))).rejects.toMatchObject({
    kind: "refused",
  })
})

/** Stubs a call of the server. Returns the query parameters of its requests. */
function recordCalls(path: string, params: object | string) {
  const requests: Record<string, string>[] = []
  server.use(
    http.get(`${REMOTE_URL}/checkout/api/${path}`, ({ request }) => {
      requests.push(Object.fromEntries(new URL(request.url).searchParams))
      return HttpResponse.json(params)
    }),
  )
  return requests
}
