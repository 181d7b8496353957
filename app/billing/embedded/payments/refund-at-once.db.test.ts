import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Attempt } from "~/billing/payments/payment-repository"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import {
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { whileOpen } from "../../../../tests/support/db/contention"
import type { DbContext } from "../db/transaction.server"
import { applyOrderEvent } from "../fulfilment/order-transitions.server"
import { gatewayRefundsOf } from "./gateway-refunds.server"
import { paymentRepository } from "./payment-repository.server"

const [TOTAL, PART] = [2_000, 500]

let shop: BillingWithTerms

type PartlyPaid = { readonly order: Order; readonly rest: Attempt; readonly refundId: string }

/** An order of EUR 20.00 of which a part is paid, and another payment of the rest that has not come. */
async function partlyPaid(): Promise<PartlyPaid> {
  const order = await placed(shop)
  const [part, rest] = [await opened(shop, order), await opened(shop, order, TOTAL - PART)]
  await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(part, "partially-paid", PART), NOON)
  return { order, rest, refundId: unique() }
}

const refundPart = (ctx: DbContext, { order, refundId }: Pick<PartlyPaid, "order" | "refundId">) =>
  gatewayRefundsOf(ctx).begin({
    id: refundId,
    orderId: order.id,
    amount: money(PART, "EUR"),
    gateways: [{ id: "offshore", isWholeOnly: false }],
    address: null,
    reason: "asked",
    endsService: false,
    at: NOON,
  })
const cancel = (ctx: DbContext, { order }: PartlyPaid) =>
  applyOrderEvent(ctx, order.id, { event: "aborted", at: NOON })
const payRest = (ctx: DbContext, { rest }: PartlyPaid) =>
  paymentRepository(ctx).recordPaymentUpdate("offshore", paymentUpdate(rest, "paid", TOTAL - PART), NOON)

const markPaid = ({ order }: PartlyPaid) =>
  shop.billing.applyOrderEvent(order.id, "paid", NOON, "operator: by bank")

/** What has come outside the gateways, in minor units. */
async function outsideOf({ order }: PartlyPaid): Promise<readonly number[]> {
  const { movements = [] } = (await shop.operator.order(order.id)) ?? {}
  return movements.filter(({ gateway }) => gateway === null).map(({ amount }) => amount.minor)
}

async function creditOf({ order }: PartlyPaid): Promise<number> {
  return (await shop.payments.accountCredit(order.customerId, "EUR")).minor
}

/** The gateway has paid the part back. */
const sent = ({ refundId }: PartlyPaid) => shop.refunds.sent(refundId, { claimUrl: null, at: NOON })

/** After the refund the shop has nothing of the order, and the customer no credit of it. */
async function expectPaidBack(of: PartlyPaid): Promise<void> {
  expect(await orderNow(shop, of.order)).toMatchObject({ status: "cancelled", received: money(0, "EUR") })
  expect(await creditOf(of)).toBe(0)
  expect(await shop.operator.findImbalances()).toEqual([])
}

describe.each(engines)("a refund through the gateway on %s", (engine) => {
  beforeAll(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterAll(() => shop.close())

  test("of an overpayment leaves nothing of it to be spent as account credit, unless it is refused", async () => {
    const order = await placed(shop)
    await shop.payments.recordPaymentUpdate(
      "offshore",
      paymentUpdate(await opened(shop, order), "paid", TOTAL + PART),
      NOON,
    )
    const of = { order, refundId: unique() }
    await refundPart(shop.ctx, of)
    const { customerId } = order
    const next = () => placed(shop, { customerId, accountCreditScope: "account" })
    expect(await next()).toMatchObject({ credited: money(0, "EUR") })
    await shop.refunds.refused(of.refundId, { detail: "no funds", at: NOON })
    expect(await next()).toMatchObject({ credited: money(-PART, "EUR") })
  })

  test("lets nobody mark the order as paid before the part is back, when the whole price is due", async () => {
    const of = await partlyPaid()
    await refundPart(shop.ctx, of)
    expect(await markPaid(of)).toMatchObject({ status: "partially-paid" })
    await sent(of)
    expect(await markPaid(of)).toMatchObject({ status: "paid" })
    expect(await outsideOf(of)).toEqual([TOTAL])
  })

  test("and a cancellation of its order at the same moment pay the part back once, in either order", async () => {
    for (let round = 0; round < 6; round++) {
      const of = await partlyPaid()
      const works = [() => refundPart(shop.ctx, of), () => cancel(shop.ctx, of)]
      await Promise.all((round % 2 === 0 ? works : works.toReversed()).map((work) => work()))
      await sent(of)
      await expectPaidBack(of)
    }
  })

  test("and a payment of the rest at the same moment never leave an order paid that lacks the part", async () => {
    for (let round = 0; round < 6; round++) {
      const of = await partlyPaid()
      const works = [() => refundPart(shop.ctx, of), () => payRest(shop.ctx, of)]
      await Promise.all((round % 2 === 0 ? works : works.toReversed()).map((work) => work()))
      const wasPaid = (await orderNow(shop, of.order)).status === "paid"
      const before = (await shop.billing.timeline(of.order.id)).map(({ kind }) => kind)
      // What is paid first is a paid order, of which a part is refunded.
      expect(before.includes("paid")).toBe(wasPaid)
      await sent(of)
      expect((await orderNow(shop, of.order)).received).toEqual(money(TOTAL - PART, "EUR"))
      expect(await shop.operator.findImbalances()).toEqual([])
    }
  })
})

describe("on PostgreSQL, while a refund through the gateway is being stored", () => {
  beforeAll(async () => {
    shop = await openBillingWithTerms("PostgreSQL")
  })
  afterAll(() => shop.close())

  test("a cancellation waits for it, and makes no account credit of what is paid back", async () => {
    const of = await partlyPaid()
    await whileOpen(
      shop.ctx,
      (tx) => refundPart(tx, of),
      () => cancel(shop.ctx, of),
    )
    expect(await creditOf(of)).toBe(0)
    await sent(of)
    await expectPaidBack(of)
  })

  test("a payment of the rest waits for it, and does not complete the order", async () => {
    const of = await partlyPaid()
    await whileOpen(
      shop.ctx,
      (tx) => refundPart(tx, of),
      () => payRest(shop.ctx, of),
    )
    expect((await orderNow(shop, of.order)).status).toBe("partially-paid")
  })

  test("it waits for a cancellation that came first, whose account credit cannot be spent any more", async () => {
    const of = await partlyPaid()
    const [, begun] = await whileOpen(
      shop.ctx,
      (tx) => cancel(tx, of),
      () => refundPart(shop.ctx, of),
    )
    expect(begun).toMatchObject({ status: "fulfilled", value: { kind: "begun" } })
    expect(await creditOf(of)).toBe(0)
    await sent(of)
    await expectPaidBack(of)
  })
})
