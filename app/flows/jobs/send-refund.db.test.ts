import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { outstanding } from "~/domain/orders/settlement"
import { refundThroughGateway } from "~/flows/admin/orders/refund-order.server"
import { cancelUnpaidOrder } from "~/flows/payments/cancel-order.server"
import { GatewayError, type GatewayRefunds, type RefundReceipt } from "~/gateways/gateway"
import { nothingWrong } from "../../../tests/fixtures/need-query"
import { buy, buyPlan, pay } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { runJobs } from "./run-jobs.server"
import { sendRefunds } from "./send-refund.server"

type Answer = RefundReceipt | GatewayError

let shop: TestShop
let answers: Answer[]
let asked: string[]
beforeEach(async () => {
  const opened = await openTestShop()
  answers = []
  asked = []
  const refunds: GatewayRefunds = {
    needsAddress: false,
    isWholeOnly: false,
    async refund({ key, amount }) {
      asked.push(`${key} ${amount.minor}`)
      const answer = answers.shift() ?? { state: "done", claimUrl: null }
      if (answer instanceof GatewayError) throw answer
      return answer
    },
  }
  const gateways = new Map([...opened.services.gateways].map(([id, it]) => [id, { ...it, refunds }]))
  shop = { ...opened, services: { ...opened.services, gateways } }
})
afterEach(() => shop.billing.close())

const received = async (id: string) => (await shop.billing.billing.order(id))?.received.minor
const begin = (orderId: string, minor: number, changes: { key?: string; endsService?: boolean } = {}) =>
  refundThroughGateway({ ...shop.services, orders: shop.billing.operator }, orderId, {
    key: "refund-1",
    amount: money(minor, "EUR"),
    reason: "asked",
    at: shop.services.now(),
    endsService: false,
    address: null,
    ...changes,
  })
/** An order of which a part is paid, that is cancelled while the gateway pays the part back. */
async function cancelledMeanwhile(): Promise<Order> {
  const { order } = await buy(shop)
  await pay(shop, order, 500)
  await begin(order.id, 500)
  await cancelUnpaidOrder(shop.services, order.id)
  return order
}

/** An order of which a part is paid, which the gateway is paying back. */
async function partlyPaidBack(): Promise<Order> {
  const { order } = await buy(shop)
  await pay(shop, order, 500)
  await begin(order.id, 500)
  return order
}

/** Pays what was due after the first part, or another amount, with another payment. */
async function payRest({ id, total }: Order, minor = total.minor - 500): Promise<void> {
  const { services, billing } = shop
  const request = { orderId: id, gateway: "offshore", coin: null, id: "rest", at: services.now() } as const
  const attempt = await billing.payments.findOrCreateAttempt({ ...request, amount: money(minor, "EUR") })
  const update = {
    eventKey: "rest",
    attemptId: attempt.id,
    status: "paid",
    received: money(minor, "EUR"),
    transactionId: null,
  } as const
  await billing.payments.recordPaymentUpdate("offshore", update, services.now())
  await runJobs(services)
}

const orderOf = async ({ id }: Order) => (await shop.billing.billing.order(id)) as Order
const statusOf = async (order: Order) => (await orderOf(order)).status
const due = async (order: Order) => outstanding(await orderOf(order)).minor

const creditOf = async ({ customerId }: Order) =>
  (await shop.services.payments.accountCredit(customerId, "EUR")).minor
const state = async () => (await shop.billing.refunds.find("refund-1"))?.state

describe("a refund by the gateway", () => {
  test("is recorded once the gateway has accepted it, and ends the service if that was asked for", async () => {
    const order = await buyPlan(shop)
    expect(await begin(order.id, 500, { endsService: true })).toMatchObject({ kind: "begun" })
    expect(await received(order.id)).toBe(order.total.minor)
    await sendRefunds(shop.services)
    expect(await received(order.id)).toBe(order.total.minor - 500)
    expect((await shop.billing.billing.service(order.serviceId))?.status).toBe("Terminated")
    expect(await state()).toBe("sent")
    expect(await sendRefunds(shop.services)).toBe(0)
  })

  test("is asked for again by the same key while it is on its way, and recorded when it is done", async () => {
    const order = await buyPlan(shop)
    answers = [{ state: "pending", claimUrl: null }]
    await begin(order.id, 500)
    await sendRefunds(shop.services)
    expect(await received(order.id)).toBe(order.total.minor)
    shop.wait(10 * SECOND)
    await sendRefunds(shop.services)
    expect(asked).toEqual(["refund-1 500", "refund-1 500"])
    expect(await received(order.id)).toBe(order.total.minor - 500)
  })

  test("leaves nothing of a part to be account credit while its order is cancelled: it would be spent and paid back", async () => {
    const order = await cancelledMeanwhile()
    expect((await shop.billing.billing.order(order.id))?.status).toBe("cancelled")
    expect(await creditOf(order)).toBe(0)
    const later = shop.services.now() + 30 * DAY
    expect(await shop.services.payments.creditUnappliedPayments(later, 10)).toBe(0)
    await sendRefunds(shop.services)
    expect([await received(order.id), await creditOf(order)]).toEqual([0, 0])
  })

  test("that is refused leaves the part of a cancelled order to become account credit after the time for late payments", async () => {
    const order = await cancelledMeanwhile()
    answers = [new GatewayError("refused", "no funds")]
    await sendRefunds(shop.services)
    const later = shop.services.now() + 30 * DAY
    expect(await shop.services.payments.creditUnappliedPayments(later, 10)).toBe(1)
    expect([await received(order.id), await creditOf(order)]).toEqual([500, 500])
  })

  test("takes a part of its order while it is on its way: the whole price is due again, and the former rest does not pay it", async () => {
    const order = await partlyPaidBack()
    expect(await due(order)).toBe(order.total.minor)
    await payRest(order)
    expect(await statusOf(order)).toBe("partially-paid")
    expect(await due(order)).toBe(500)
    await sendRefunds(shop.services)
    expect([await statusOf(order), await received(order.id)]).toEqual([
      "partially-paid",
      order.total.minor - 500,
    ])
  })

  test("that was on its way when the whole price was paid leaves the order paid, with no account credit", async () => {
    const order = await partlyPaidBack()
    await payRest(order, order.total.minor)
    expect([await statusOf(order), await creditOf(order)]).toEqual(["active", 0])
    await sendRefunds(shop.services)
    expect([await received(order.id), await creditOf(order)]).toEqual([order.total.minor, 0])
    expect(await shop.billing.operator.findImbalances()).toEqual([])
  })

  test("that is refused after the rest was paid completes the order with the part that stays", async () => {
    const order = await partlyPaidBack()
    await payRest(order)
    answers = [new GatewayError("refused", "no funds")]
    await sendRefunds(shop.services)
    await runJobs(shop.services)
    expect([await statusOf(order), await received(order.id)]).toEqual(["active", order.total.minor])
    const kinds = (await shop.billing.billing.timeline(order.id)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === "paid")).toHaveLength(1)
  })

  test("that is refused after the whole price was paid makes account credit of the part that stays", async () => {
    const order = await partlyPaidBack()
    await payRest(order, order.total.minor)
    answers = [new GatewayError("refused", "no funds")]
    await sendRefunds(shop.services)
    expect([await received(order.id), await creditOf(order)]).toEqual([order.total.minor + 500, 500])
    expect(await shop.billing.operator.findImbalances()).toEqual([])
  })

  test("that the gateway has reported before its answer counts once", async () => {
    const order = await partlyPaidBack()
    const [attempt] = (await shop.billing.operator.order(order.id))?.attempts ?? []
    const update = {
      eventKey: "reported",
      attemptId: attempt?.id ?? "",
      status: "refunded",
      received: money(500, "EUR"),
      refunded: money(500, "EUR"),
      transactionId: null,
    } as const
    await shop.billing.payments.recordPaymentUpdate("offshore", update, shop.services.now())
    expect(await due(order)).toBe(order.total.minor)
    await payRest(order, order.total.minor)
    expect([await statusOf(order), await received(order.id)]).toEqual(["active", order.total.minor])
  })

  test("goes on after a gateway that did not answer, and after one that refuses the key", async () => {
    const order = await buyPlan(shop)
    answers = [
      new GatewayError("unavailable", "timeout"),
      new GatewayError("refused", "no permission", { refusesKey: true }),
    ]
    await begin(order.id, 500)
    for (const wait of [0, MINUTE, 5 * MINUTE]) {
      shop.wait(wait)
      await sendRefunds(shop.services)
    }
    expect(await received(order.id)).toBe(order.total.minor - 500)
  })

  test("that is refused changes nothing, is on the overview, and leaves room for another", async () => {
    const order = await buyPlan(shop)
    answers = [new GatewayError("refused", "no funds")]
    await begin(order.id, 500)
    await sendRefunds(shop.services)
    expect([await state(), await received(order.id)]).toEqual(["refused", order.total.minor])
    const now = shop.services.now()
    const needs = await shop.billing.overview.needs({ now, yesterday: "2026-01-01", ...nothingWrong })
    expect(needs).toMatchObject([{ kind: "refund-refused", orderId: order.id, detail: "offshore: no funds" }])
    expect(await begin(order.id, 500, { key: "refund-2" })).toMatchObject({ kind: "begun" })
  })

  test("that is refused leaves the overview when an operator dismisses it, and nothing else is dismissed", async () => {
    const order = await buyPlan(shop)
    answers = [new GatewayError("refused", "no funds")]
    await begin(order.id, 500)
    expect(await shop.billing.refunds.dismiss("refund-1")).toBe(false)
    await sendRefunds(shop.services)
    expect(await shop.billing.refunds.dismiss("refund-1")).toBe(true)
    expect(await shop.billing.refunds.dismiss("refund-1")).toBe(false)
    expect([await state(), await received(order.id)]).toEqual(["dismissed", order.total.minor])
    const query = { now: shop.services.now(), yesterday: "2026-01-01", ...nothingWrong }
    expect(await shop.billing.overview.needs(query)).toEqual([])
    expect(await begin(order.id, 500, { key: "refund-2" })).toMatchObject({ kind: "begun" })
  })

  test.each(["through the gateway", "by hand"])(
    "that is refused leaves the overview when its order gets another refund %s",
    async (way) => {
      const orders = [await buyPlan(shop), await buyPlan(shop, { key: "draft-2" })]
      answers = [new GatewayError("refused", "no funds"), new GatewayError("refused", "no funds")]
      for (const [index, { id }] of orders.entries()) await begin(id, 500, { key: `refund-${index}` })
      await sendRefunds(shop.services)
      const refused = async () => {
        const query = { now: shop.services.now(), yesterday: "2026-01-01", ...nothingWrong }
        return (await shop.billing.overview.needs(query)).map(({ orderId }) => orderId)
      }
      const [first, second] = orders.map(({ id }) => id)
      expect((await refused()).toSorted()).toEqual([first, second].toSorted())
      shop.wait(MINUTE)
      const amount = money(500, "EUR")
      const byHand = { key: "hand", amount, reason: "asked", at: shop.services.now() }
      if (way === "by hand") await shop.billing.operator.recordRefund(first ?? "", byHand)
      else await begin(first ?? "", 500, { key: "another" })
      expect(await refused()).toEqual([second])
    },
  )

  test("of which the gateway has reported the whole before changes the ledger once", async () => {
    const order = await buyPlan(shop)
    await begin(order.id, order.total.minor)
    const [attempt] = (await shop.billing.operator.order(order.id))?.attempts ?? []
    const update = {
      eventKey: "reported",
      attemptId: attempt?.id ?? "",
      status: "refunded",
      received: order.total,
      refunded: order.total,
      transactionId: null,
    } as const
    await shop.billing.payments.recordPaymentUpdate("offshore", update, shop.services.now())
    await sendRefunds(shop.services)
    expect(await received(order.id)).toBe(0)
    expect(await state()).toBe("sent")
  })

  test("of a part that the gateway has reported before changes the ledger once", async () => {
    const order = await buyPlan(shop)
    await begin(order.id, 500)
    const [attempt] = (await shop.billing.operator.order(order.id))?.attempts ?? []
    const update = {
      eventKey: "reported",
      attemptId: attempt?.id ?? "",
      status: "paid",
      received: order.total,
      refunded: money(500, "EUR"),
      transactionId: null,
    } as const
    await shop.billing.payments.recordPaymentUpdate("offshore", update, shop.services.now())
    await sendRefunds(shop.services)
    expect(await received(order.id)).toBe(order.total.minor - 500)
    const refunds = (await shop.billing.billing.timeline(order.id)).filter(({ kind }) => kind === "refunded")
    expect(refunds).toMatchObject([{ amount: money(-500, "EUR") }])
  })

  test("is stored once by its key, and holds off another refund of the payment until it is settled", async () => {
    const order = await buyPlan(shop)
    await begin(order.id, 500)
    expect(await begin(order.id, 500)).toMatchObject({ kind: "repeated" })
    expect(await begin(order.id, 500, { key: "refund-2" })).toEqual({ kind: "refund-under-way" })
    const recorded = { key: "by hand", amount: money(500, "EUR"), reason: "x", at: shop.services.now() }
    expect(await shop.billing.operator.recordRefund(order.id, recorded)).toEqual({ kind: "refund-under-way" })
    const asCredit = { ...recorded, key: "refund-4", toCredit: true }
    expect(await shop.billing.operator.recordRefund(order.id, asCredit)).toEqual({ kind: "refund-under-way" })
    await sendRefunds(shop.services)
    expect(await shop.billing.operator.recordRefund(order.id, recorded)).toMatchObject({ kind: "recorded" })
    expect(await received(order.id)).toBe(order.total.minor - 1_000)
  })

  test("of more than was received, or of an unknown order, is not begun", async () => {
    const order = await buyPlan(shop)
    expect(await begin(order.id, order.total.minor + 1)).toMatchObject({ kind: "too-much" })
    expect(await begin("NONE", 1)).toEqual({ kind: "no-such-order" })
  })

  test("leaves to the customer what was refunded as account credit", async () => {
    const order = await buyPlan(shop)
    const { total } = order
    const asCredit = { key: "r1", amount: money(500, "EUR"), reason: "x", at: shop.services.now() }
    await shop.billing.operator.recordRefund(order.id, { ...asCredit, toCredit: true })
    const left = money(total.minor - 500, "EUR")
    expect(await begin(order.id, total.minor, { key: "r2" })).toEqual({ kind: "too-much", received: left })
    expect(await begin(order.id, left.minor, { key: "r3" })).toMatchObject({ kind: "begun" })
    await sendRefunds(shop.services)
    expect(await shop.services.payments.accountCredit(order.customerId, "EUR")).toEqual(money(500, "EUR"))
    expect(await shop.billing.operator.findImbalances()).toEqual([])
  })

  test("waits while its gateway is switched off, and is sent once that is back", async () => {
    const order = await buyPlan(shop)
    await begin(order.id, 500)
    await sendRefunds({ ...shop.services, gateways: new Map() })
    expect([await state(), await received(order.id)]).toEqual(["waiting", order.total.minor])
    shop.wait(MINUTE)
    await sendRefunds(shop.services)
    expect([await state(), await received(order.id)]).toEqual(["sent", order.total.minor - 500])
  })

  test("is parked after two days without an answer", async () => {
    const order = await buyPlan(shop)
    answers = Array.from({ length: 60 }, () => new GatewayError("unavailable", "down"))
    await begin(order.id, 500)
    for (let at = 0; at < 2 * DAY; at += HOUR / 2) {
      await sendRefunds(shop.services)
      shop.wait(HOUR / 2)
    }
    expect(await shop.billing.operator.jobs(order.id)).toMatchObject([{ topic: "refund", state: "parked" }])
    expect(await received(order.id)).toBe(order.total.minor)
  })
})
