import { afterEach, beforeEach, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { type ApiShop, openApiShop } from "../../../tests/fixtures/api-client"

let shop: ApiShop
let ana: { userid: string; token: string }
let placed: Record<string, unknown>
beforeEach(async () => {
  shop = await openApiShop()
  ana = await shop.customer("ana@example.test")
  const request = { pid: "1", amount: "12.00", currency: "EUR", paymentmethod: "offshore", key: "KEY1" }
  placed = (await shop.call("order", { ...request, userid: ana.userid }, { token: ana.token })).body
})
afterEach(() => shop.close())

const due = { amount: "12.00", currency: "EUR" }
const pay = (request: object = {}, token = ana.token) =>
  shop.call("offshore", { invoice: String(placed.invoiceid), ...due, ...request }, { token })

test("offshore returns the gateway's payment link and passes the caller's return URLs on", async () => {
  const back = {
    returnurl: "https://shop.example.test/waiting?resume=r",
    cancelurl: "https://shop.example.test/c",
  }
  const { status, body } = await pay({ ...back, attempt: "attempt-1" })
  expect([status, body]).toMatchObject([
    200,
    { link: expect.stringMatching(/^https:\/\/pay\.test\//), origins: ["https://pay.test"] },
  ])
  expect(shop.gateway.opened).toMatchObject([{ returnUrl: back.returnurl, cancelUrl: back.cancelurl }])
})

test("a repeated payment link request returns the same link", async () => {
  expect((await pay()).body.link).toBe((await pay()).body.link)
  expect(shop.gateway.opened).toHaveLength(1)
})

test("a payment link of another gateway changes the order's gateway", async () => {
  const request = { invoiceid: String(placed.invoiceid), ...due, clientid: ana.userid, pid: "1" }
  const { body } = await shop.call("coinbase", request, { token: ana.token })
  expect(body.link).toMatch(/^https:\/\/coinbase\.test\//)
  expect(await shop.services.billing.order(String(placed.orderid))).toMatchObject({ gateway: "coinbase" })
})

test.each(["cryptomus", "btcpay"])("%s responds 503 if the gateway is not configured", async (name) => {
  const request = { invoiceid: String(placed.invoiceid), ...due }
  expect((await shop.call(name, request, { token: ana.token })).status).toBe(503)
})

test.each([
  ["another amount", { amount: "11.99" }, 409],
  ["another currency", { currency: "GBP" }, 409],
  ["an unknown invoice", { invoice: "none" }, 404],
  ["a javascript: return URL", { returnurl: "javascript:alert(1)" }, 400],
  ["an http return URL", { returnurl: "http://shop.example.test/" }, 400],
  ["a return URL with credentials", { returnurl: "https://a:b@shop.example.test/" }, 400],
])("offshore creates no payment link for %s", async (_, request, status) => {
  expect((await pay(request)).status).toBe(status)
  expect(shop.gateway.opened).toEqual([])
})

test("offshore responds 404 for another customer's invoice", async () => {
  const bob = await shop.customer("bob@example.test")
  expect((await pay({}, bob.token)).status).toBe(404)
})

test("a paid invoice has the status Paid, and offshore responds with a conflict", async () => {
  await pay()
  shop.gateway.reports("paid", 1_200)
  shop.wait(3_000)
  const { body } = await shop.call("invoice", { key: "KEY1" }, { token: ana.token })
  expect(body).toMatchObject({ status: "Paid", received: "12.00" })
  expect((await pay()).body.error).toMatchObject({ code: "conflict" })
})

test("getGateway lists payment methods with their origins", async () => {
  const { body } = await shop.call("getGateway")
  expect(body).toMatchObject({
    paymentmethods: {
      paymentmethod: [
        { module: "offshore", origin: "https://pay.test", origins: ["https://pay.test"] },
        { module: "coinbase", origin: "https://coinbase.test" },
      ],
    },
    extras: expect.arrayContaining(["key", "invoice"]),
  })
})

const stop = (name: "cancelOrder" | "fraudOrder") =>
  shop.call(name, { orderid: String(placed.orderid) }, { token: ana.token })

test("fraudOrder puts an unpaid order on hold and closes its payment", async () => {
  await pay()
  expect(await stop("fraudOrder")).toMatchObject({ status: 200, body: { result: "success" } })
  const { body } = await shop.call("invoice", { key: "KEY1" }, { token: ana.token })
  expect(body.status).toBe("Fraud")
  expect(shop.gateway.closed).toHaveLength(1)
})

test.each(["cancelOrder", "fraudOrder"] as const)(
  "%s responds 409 while a payment is being confirmed",
  async (name) => {
    await pay()
    shop.gateway.reports("processing", 0)
    shop.wait(3_000)
    expect(await stop(name)).toMatchObject({
      status: 409,
      body: { error: { code: "conflict", message: "Payment of the order is being confirmed" } },
    })
  },
)

test.each(["cancelOrder", "fraudOrder"] as const)(
  "%s of a partially paid order: only fraudOrder responds 409",
  async (name) => {
    await pay()
    shop.gateway.reports("partially-paid", 500)
    shop.wait(3_000)
    const { status, body } = await stop(name)
    expect([name, status]).toEqual([name, name === "fraudOrder" ? 409 : 200])
    if (status === 409) expect(body.error).toMatchObject({ message: "Order is paid or partially paid" })
  },
)

test("a payment that arrives after moduleCreate has vouched for the money becomes account credit", async () => {
  await pay()
  const [attempt] = shop.gateway.opened
  const { serviceids, orderid } = placed
  await shop.call("moduleCreate", { serviceid: String(serviceids) }, { token: ana.token })
  expect(shop.gateway.closed).toEqual([attempt?.attemptId])
  const received = money(1_200, "EUR")
  const update = { eventKey: "late", attemptId: attempt?.attemptId ?? "", transactionId: "tx", received }
  const { payments, now } = shop.services
  await payments.recordPaymentUpdate("offshore", { ...update, status: "paid" }, now())
  expect((await shop.billing.operator.order(String(orderid)))?.accountCredit).toEqual([received])
})
