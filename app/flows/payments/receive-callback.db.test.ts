import { expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import { money, toDecimal } from "~/domain/money/money"
import { GatewayError, UntrustedCallbackError } from "~/gateways/gateway"
import { limits } from "~/security/rate-limits.server"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop, TOTAL } from "../../../tests/fixtures/test-shop"
import { pollOrderPayment } from "./poll-gateway.server"
import { receiveCallback } from "./receive-callback.server"

const callback = { headers: new Headers(), body: Buffer.alloc(0), at: 0, address: null }

test("applies a callback that contains the amount without polling the gateway", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await buyPlan(shop)
  const update = { eventKey: "e-1", attemptId, status: "paid", transactionId: null } as const
  calls(shop, { ...update, received: money(TOTAL, "EUR") })
  expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect(await statusOf(shop, order.id)).toBe("paid")
  expect(shop.gateway.requests).toEqual([])
})

test("polls the gateway for a callback without an amount and applies the result", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await buyPlan(shop)
  calls(shop, { paymentId: attemptId, attemptId })
  shop.gateway.reports("paid", TOTAL)
  expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect(shop.gateway.requests).toEqual([attemptId])
  expect(await statusOf(shop, order.id)).toBe("paid")
})

test("a repeated callback for an unpaid payment changes nothing", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await buyPlan(shop)
  calls(shop, { paymentId: attemptId, attemptId })
  for (const _ of [1, 2])
    expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect(await statusOf(shop, order.id)).toBe("awaiting-payment")
})

test("applies a duplicate callback once", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await buyPlan(shop)
  calls(shop, { paymentId: attemptId, attemptId })
  shop.gateway.reports("partially-paid", 500)
  for (const _ of [1, 2]) await receiveCallback(shop.services, "offshore", callback)
  expect(await shop.services.billing.order(order.id)).toMatchObject({ received: money(500, "EUR") })
})

test("applies a payment that arrives after the attempt expired", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await buyPlan(shop)
  calls(shop, { paymentId: attemptId, attemptId })
  shop.gateway.reports("expired", 0)
  await receiveCallback(shop.services, "offshore", callback)
  shop.gateway.reports("paid", TOTAL)
  await receiveCallback(shop.services, "offshore", callback)
  expect(await statusOf(shop, order.id)).toBe("paid")
})

test("rejects as unavailable without storing anything when the gateway cannot be polled, so that it retries", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await buyPlan(shop)
  calls(shop, { paymentId: attemptId, attemptId })
  shop.gateway.reports("paid", TOTAL)
  shop.gateway.fail(new GatewayError("unavailable", "no answer"))
  const failure = receiveCallback(shop.services, "offshore", callback)
  await expect(failure).rejects.toMatchObject({ name: "GatewayError", kind: "unavailable" })
  expect(await statusOf(shop, order.id)).toBe("awaiting-payment")
  expect(await checksOf(shop)).toContain("all applied in the last 30 days")
})

test.each([
  ["refuses the API key", new GatewayError("refused", "401", { refusesKey: true, isTransient: true })],
  ["returns a proxy's HTML page", new GatewayError("unreadable", "no JSON", { isTransient: true })],
])(
  "when the gateway %s during the poll, the callback fails as unavailable, so that it is retried",
  async (_, error) => {
    const shop = await openTestShop()
    const { attemptId } = await buyPlan(shop)
    calls(shop, { paymentId: attemptId, attemptId })
    shop.gateway.fail(error)
    const failure = receiveCallback(shop.services, "offshore", callback)
    await expect(failure).rejects.toMatchObject({ name: "GatewayError", kind: "unavailable" })
  },
)

test("records a signed payment in another currency as unapplied on its order and counts repeats", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await buyPlan(shop)
  const update = { eventKey: "e-1", attemptId, status: "paid", transactionId: null } as const
  calls(shop, { ...update, received: money(TOTAL, "USD") })
  for (const _ of [1, 2])
    expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect(await statusOf(shop, order.id)).toBe("awaiting-payment")
  expect((await shop.billing.operator.order(order.id))?.unapplied).toEqual([
    {
      orderId: order.id,
      gateway: "offshore",
      reason: "currency-mismatch",
      detail: `paid ${toDecimal(money(TOTAL, "USD"))} USD for attempt ${attemptId}`,
      count: 2,
      at: shop.services.now(),
    },
  ])
  expect(await checksOf(shop)).toContain(`order ${order.id} (offshore, currency-mismatch: paid`)
})

test("accepts a signed payment for an unknown attempt and records it as unapplied", async () => {
  const shop = await openTestShop()
  const update = { eventKey: "e-1", attemptId: "elsewhere", status: "paid", transactionId: null } as const
  calls(shop, { ...update, received: money(TOTAL, "EUR") })
  expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect(await checksOf(shop)).toContain("unknown order (offshore, unknown-attempt: paid")
})

test("records a payment unknown to the gateway as unapplied, from a callback and from a poll", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await buyPlan(shop)
  calls(shop, { paymentId: attemptId, attemptId })
  shop.gateway.fail(new GatewayError("refused", "GET pay.test/invoices/1 answered 404"))
  expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  shop.wait(3 * SECOND)
  await pollOrderPayment(shop.services, order.id)
  expect((await shop.billing.operator.order(order.id))?.unapplied).toMatchObject([
    { reason: "unknown-payment", detail: "GET pay.test/invoices/1 answered 404", count: 2 },
  ])
})

test("accepts an unreadable signed callback and records it as unapplied", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await buyPlan(shop)
  calls(shop, new GatewayError("unreadable", "calls back with\nnonsense\u001b[2J", { attemptId }))
  expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect((await shop.billing.operator.order(order.id))?.unapplied).toMatchObject([
    { reason: "unreadable", detail: "calls back with nonsense [2J" },
  ])
})

test("does not apply a poll result for another attempt than the callback's, and records it as unapplied", async () => {
  const shop = await openTestShop()
  const { order, attemptId } = await buyPlan(shop)
  calls(shop, { paymentId: attemptId, attemptId: "another" })
  shop.gateway.reports("paid", TOTAL)
  expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect(await statusOf(shop, order.id)).toBe("awaiting-payment")
  expect(await checksOf(shop)).toMatch(/unknown order \(offshore, unknown-payment: .*different attempts/)
})

test("rejects a callback with an invalid signature without polling the gateway", async () => {
  const shop = await openTestShop()
  await buyPlan(shop)
  calls(shop, new UntrustedCallbackError("signature does not match"))
  expect(await receiveCallback(shop.services, "offshore", callback)).toMatchObject({
    kind: "rejected",
    retryAfterSeconds: 0,
  })
  expect(shop.gateway.requests).toEqual([])
  expect(shop.log.at(-1)).toMatchObject({ msg: "callback rejected", reason: "signature does not match" })
})

test("notes no more rejected callbacks of an address than its limit, and says how long to wait", async () => {
  const shop = await openTestShop()
  calls(shop, new UntrustedCallbackError("signature does not match"))
  const forged = () => receiveCallback(shop.services, "offshore", { ...callback, address: "93.184.216.34" })
  for (let nth = 0; nth < limits.refusalsOfAddress; nth++) await forged()
  expect(await forged()).toEqual({ kind: "rejected", retryAfterSeconds: expect.toSatisfy((it) => it > 0) })
  expect(shop.log.filter(({ msg }) => msg === "callback rejected")).toHaveLength(limits.refusalsOfAddress)
})

test("accepts a callback without a payment and changes nothing", async () => {
  const shop = await openTestShop()
  calls(shop, null)
  expect(await receiveCallback(shop.services, "offshore", callback)).toEqual({ kind: "accepted" })
  expect(await receiveCallback(shop.services, "btcpay", callback)).toEqual({ kind: "no-such-gateway" })
})

async function buyPlan(shop: TestShop) {
  const { order } = await buy(shop)
  const attempt = await shop.services.payments.latestAttempt(order.id)
  return { order, attemptId: attempt?.id ?? "" }
}

/** Lets the gateway parse every callback to this. */
function calls(shop: TestShop, update: ReturnType<TestShop["gateway"]["gateway"]["parseCallback"]> | Error) {
  shop.gateway.gateway.parseCallback = () => {
    if (update instanceof Error) throw update
    return update
  }
}

async function checksOf(shop: TestShop): Promise<string> {
  const findings = await shop.billing.operator.checkPayments(shop.services.now())
  return findings.map(({ message }) => message).join("\n")
}

async function statusOf(shop: TestShop, orderId: string) {
  return (await shop.services.billing.order(orderId))?.status
}
