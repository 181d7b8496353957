import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { OrderFlaggedError } from "~/billing/billing"
import { money } from "~/domain/money/money"
import {
  ana,
  externalOrder,
  externalUpsell,
  owned,
  paid,
  remoteSettings,
} from "../../../../tests/fakes/legacy-billing-fixtures"
import { interceptUpstreams } from "../../../../tests/fakes/server"
import { openRemote } from "./remote.server"

const server = interceptUpstreams()

const REMOTE_URL = "https://books.example.test"
const externalBilling = openRemote({ ...remoteSettings, url: REMOTE_URL })
const invoice = {
  invoiceid: 31,
  orderid: 9,
  serviceids: "12",
  status: "Unpaid",
  received: "0.00",
  currency: "EUR",
}
const order = owned("7", { orderId: "9", invoiceId: "31", serviceId: "12", link: null })

test.each([
  ["promo-code-used", "used-by-person"],
  ["promo-code-refused", "by-billing"],
])("an order that the server rejects as %s is refused for its promo code: %s", async (code, reason) => {
  for (const call of ["getProduct", "getProductCustomFields"]) recordCalls(call, { products: "" })
  const rejection = { result: "error", error: { code, message: "Promo code cannot be used" } }
  server.use(
    http.get(`${REMOTE_URL}/checkout/api/order`, () => HttpResponse.json(rejection, { status: 422 })),
  )
  const placing = externalBilling.placeOrder(externalOrder("7"))
  await expect(placing).rejects.toMatchObject({ name: "PromotionRefusedError", reason })
})

test("findOrder and findInvoice look an order up by our order number", async () => {
  const requests = recordCalls("invoice", { ...invoice, link: "https://pay.example.test/31" })
  const found = { orderId: "9", invoiceId: "31", serviceId: "12", link: "https://pay.example.test/31" }
  expect(await externalBilling.findOrder(externalOrder("7"))).toEqual(found)
  expect(await externalBilling.findInvoice(externalUpsell("7", "12"))).toEqual(found)
  expect(requests.map(({ key }) => key)).toEqual(["ABCDEFGHJK", "MNPQRSTWXY"])
})

test.each([
  ["a tax with its rate", { tax: "1.92", taxrate: "19.000" }, [{ basisPoints: 1_900, amount: 192 }]],
  ["a tax of several rates", { tax: "1.92" }, [{ basisPoints: null, amount: 192 }]],
  [
    "tax of two levels",
    { tax: 0.6, taxrate: 5, tax2: "1.20", taxrate2: "9.975" },
    [
      { basisPoints: 500, amount: 60 },
      { basisPoints: 997.5, amount: 120 },
    ],
  ],
  ["a tax of zero", { tax: "0.00", taxrate: "0.000" }, []],
  ["no tax", {}, undefined],
  ["what is no amount", { tax: "about 2", taxrate: "19" }, undefined],
])("findOrder, findInvoice and addInvoice tell %s as the server states it", async (_, stated, taxes) => {
  recordCalls("invoice", { ...invoice, ...stated })
  recordCalls("addInvoice", { ...invoice, ...stated })
  recordCalls("getClientProducts", { id: "12", clientid: "7", pid: "3", kind: "plan", status: "Active" })
  expect((await externalBilling.findOrder(externalOrder("7")))?.taxes).toEqual(taxes)
  expect((await externalBilling.findInvoice(externalUpsell("7", "12")))?.taxes).toEqual(taxes)
  expect((await externalBilling.addInvoice(externalUpsell("7", "12"))).taxes).toEqual(taxes)
})

test.each([
  ["Unpaid", "0.00", "EUR", "open", 0],
  ["Unpaid", "4.20", "EUR", "open", 420],
  ["Paid", "12.50", "EUR", "paid", 1250],
  ["Cancelled", "0.00", "EUR", "cancelled", 0],
  ["Fraud", "0.00", "EUR", "fraud", 0],
  ["Refunded", "0.00", "EUR", "cancelled", 0],
  ["Payment Pending", "0.00", "EUR", "open", 0],
] as const)(
  "an invoice with status %s and %s %s received has the state %s",
  async (status, received, currency, state, minor) => {
    recordCalls("invoice", { ...invoice, status, received, currency })
    expect(await externalBilling.orderStatus(order)).toEqual({ state, received: money(minor, "EUR") })
  },
)

test("the amount received is null in an unknown currency", async () => {
  recordCalls("invoice", { ...invoice, currency: "XAU" })
  expect(await externalBilling.orderStatus(order)).toEqual({ state: "open", received: null })
})

test("the response for another invoice is ignored, and the service status is used", async () => {
  recordCalls("invoice", { ...invoice, invoiceid: "32", status: "Paid" })
  recordCalls("getClientProducts", { username: "TV1", status: "Pending" })
  expect(await externalBilling.orderStatus(order)).toEqual({ state: "open", received: null })
})

test("a paid order with a pending line is provisioned by moduleCreate", async () => {
  recordCalls("invoice", { ...invoice, status: "Paid" })
  const requests = recordCalls("moduleCreate", { result: "success" })
  const result = {
    id: "12",
    clientid: "7",
    pid: "3",
    kind: "plan",
    username: "TV1",
    password: 77,
    connections: "2",
  }
  const looks = ["Pending", "Active"].map((status) => ({
    ...result,
    status,
    serverhostname: "https://tv.example.test",
  }))
  server.use(
    http.get(`${REMOTE_URL}/checkout/api/getClientProducts`, () => HttpResponse.json(looks.shift())),
    http.get(`${REMOTE_URL}/checkout/api/getProducts`, () => HttpResponse.json({ products: "" })),
    http.get(`${REMOTE_URL}/checkout/api/getResellersProducts`, () => HttpResponse.json({ products: "" })),
    http.get(`${REMOTE_URL}/checkout/api/getResellerProducts`, () => HttpResponse.json({ error: "none" })),
  )
  expect(await externalBilling.provision(paid(order))).toMatchObject({
    status: "Active",
    username: "TV1",
    password: "77",
    host: "https://tv.example.test",
    connections: 2,
  })
  expect(requests).toEqual([{ serviceid: "12", username: "TV23456789", password: "0123456789" }])
})

test("setPassword sends the password in the request body only", async () => {
  const bodies: unknown[] = []
  server.use(
    http.post(`${REMOTE_URL}/checkout/api/setPassword`, async ({ request }) => {
      bodies.push(await request.json(), new URL(request.url).search)
      return HttpResponse.json({ result: "success" })
    }),
  )
  await externalBilling.passwords?.setPassword({ customerId: "7", reach: "account" }, "a password of his own")
  expect(bodies).toEqual([{ userid: "7", password: "a password of his own", reach: "account" }, ""])
})

test("identify reads the customer from the auth response", async () => {
  const made = { token: "t", userid: 7, locale: "de-de", currency: "GBP", reach: "sign-up" }
  server.use(http.post(`${REMOTE_URL}/checkout/api/auth`, () => HttpResponse.json(made)))
  const { email } = ana
  const customer = { customerId: "7", email, locale: "de-de", currency: "GBP", reach: "sign-up" }
  expect(await externalBilling.identify(ana)).toEqual(customer)
})

test("an order that the server marks as fraud is told from one that it rejects", async () => {
  for (const call of ["getProduct", "getProductCustomFields"]) recordCalls(call, { products: "" })
  recordCalls("order", { ...invoice, fraud: true, link: "" })
  await expect(externalBilling.placeOrder(externalOrder("7"))).rejects.toBeInstanceOf(OrderFlaggedError)
})

test("findOrder and findInvoice tell no tax that is in another currency", async () => {
  recordCalls("invoice", { ...invoice, tax: "1.92", taxrate: "19.00", currency: "USD" })
  expect((await externalBilling.findOrder(externalOrder("7")))?.taxes).toBeUndefined()
  expect((await externalBilling.findInvoice(externalUpsell("7", "12")))?.taxes).toBeUndefined()
})

test.each([
  ["another total", { total: "13.50" }],
  ["another currency", { currency: "USD" }],
])(
  "an order and an invoice with %s than the buyer has agreed to are cancelled there and refused",
  async (_, stated) => {
    for (const call of ["getProduct", "getProductCustomFields"]) recordCalls(call, { products: "" })
    recordCalls("getClientProducts", { id: "12", clientid: "7", pid: "3", kind: "plan", status: "Active" })
    recordCalls("order", { ...invoice, fraud: false, ...stated })
    recordCalls("addInvoice", { ...invoice, ...stated })
    const cancelled = recordCalls("cancelOrder", { result: "success" })
    await expect(externalBilling.placeOrder(externalOrder("7"))).rejects.toMatchObject({ kind: "refused" })
    await expect(externalBilling.addInvoice(externalUpsell("7", "12"))).rejects.toMatchObject({
      kind: "refused",
    })
    expect(cancelled.map(({ orderid }) => orderid)).toEqual(["9", "9"])
  },
)

test("extra connections are not ordered for a service that the server does not find", async () => {
  recordCalls("getClientProducts", { result: "error", message: "Something went wrong, code 7" })
  const orders = recordCalls("addInvoice", invoice)
  await expect(externalBilling.addInvoice(externalUpsell("7", "12"))).rejects.toMatchObject({
    kind: "refused",
  })
  expect(orders).toEqual([])
})

test.each([
  ["identify", "auth", () => externalBilling.identify(ana)],
  ["customerOf", "authMiddleware", () => externalBilling.customerOf(ana.email)],
  ["signIn", "resellerAuth", () => externalBilling.signIn({ email: ana.email, password: "a password" })],
])("%s takes no answer about another customer", async (_, path, act) => {
  const customer = { token: "t", userid: "8" }
  const answer = (email: string) =>
    server.use(
      http.post(`${REMOTE_URL}/checkout/api/${path}`, () => HttpResponse.json({ ...customer, email })),
    )
  answer("bob@example.test")
  await expect(act()).rejects.toMatchObject({ kind: "unreadable" })
  answer(" ANA@EXAMPLE.TEST ")
  expect(await act()).toMatchObject({ customerId: "8" })
})

test("diagnose reports the accepted key and the extras of a newer server", async () => {
  const none = { products: "" }
  recordCalls("getProducts", none)
  recordCalls("getResellersProducts", none)
  recordCalls("getGateway", { paymentmethods: "", extras: ["invoice", "setPassword"] })
  expect(await externalBilling.diagnose(0)).toEqual([
    { ok: true, check: "server", message: "reachable" },
    { ok: false, check: "plans", message: "none" },
    { ok: false, check: "currencies", message: "no plan has a price in EUR, which is CURRENCY: none" },
    { ok: null, check: "reseller plans", message: "none" },
    { ok: false, check: "gateways", message: "none" },
    { ok: true, check: "key", message: "accepted" },
    { ok: true, check: "extras", message: "invoice, setPassword" },
    { ok: null, check: "clock", message: "the server sends no Date header" },
  ])
})

test("diagnose reports a server whose payment modules the shop does not know", async () => {
  for (const call of ["getProducts", "getResellersProducts"]) recordCalls(call, { products: "" })
  recordCalls("getGateway", {
    paymentmethods: { paymentmethod: [{ module: "paypal" }, { module: "BTCPay" }] },
  })
  const message = "none of offshore, coinbase, cryptomusgateway, btcpay: paypal, BTCPay"
  expect(await externalBilling.diagnose(0)).toContainEqual({ ok: false, check: "gateways", message })
})

/** Stubs a call of the server. Returns the query parameters of its requests. */
function recordCalls(path: string, params: object) {
  const requests: Record<string, string>[] = []
  server.use(
    http.get(`${REMOTE_URL}/checkout/api/${path}`, ({ request }) => {
      requests.push(Object.fromEntries(new URL(request.url).searchParams))
      return HttpResponse.json(params)
    }),
  )
  return requests
}
