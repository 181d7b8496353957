import { describe, expect, test } from "vitest"
import type { NewOrder } from "~/billing/orders/new-order"
import type { NewRefund } from "~/billing/orders/order-admin"
import { HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import {
  type BillingUnderTest,
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  together,
  unique,
} from "./billing-fixtures"

const eur = (minor: number) => money(minor, "EUR")
const [MARKED, LATER] = [NOON + HOUR, NOON + 2 * HOUR]

/** Tests refunds as account credit, and of what no gateway has received: account credit that has paid an order, and money from elsewhere. */
export function orderRefundContract(backend: () => BillingUnderTest, has: { credit: boolean }): void {
  const record = (it: ReturnType<typeof paymentUpdate>, at = NOON) =>
    backend().payments.recordPaymentUpdate("offshore", it, at)
  const credit = ({ customerId }: Order) => backend().payments.accountCredit(customerId, "EUR")
  const refund = ({ id }: Order, minor: number, changes: Partial<NewRefund> = {}) =>
    backend().operator.recordRefund(id, {
      key: unique(),
      amount: eur(minor),
      reason: "did not like it",
      at: LATER,
      ...changes,
    })
  const toCredit = (order: Order, minor: number, changes: Partial<NewRefund> = {}) =>
    refund(order, minor, { toCredit: true, ...changes })
  const refundable = async ({ id }: Order) => (await backend().operator.order(id))?.refundable
  const balanced = async () => expect(await backend().operator.findImbalances()).toEqual([])

  /** An order of a customer with `credit` of account credit, which pays for it. */
  async function paidByCredit(minor: number, changes: Partial<NewOrder> = {}): Promise<Order> {
    const first = await placed(backend())
    await record(paymentUpdate(await opened(backend(), first), "paid", 2_000 + minor))
    return placed(backend(), { customerId: first.customerId, accountCreditScope: "account", ...changes })
  }

  /** An order that the operator has marked as paid, after a payment of `minor` at its gateway. */
  async function marked(minor = 0): Promise<Order> {
    const order = await placed(backend())
    if (minor > 0) await record(paymentUpdate(await opened(backend(), order), "partially-paid", minor))
    await backend().billing.applyOrderEvent(order.id, "paid", MARKED, "operator: by bank")
    return orderNow(backend(), order)
  }

  describe.runIf(has.credit)("a refund to account credit", () => {
    test("gives back what an order has used of it, in parts and no more, and each part where it came from", async () => {
      const order = await paidByCredit(2_000)
      expect(await refundable(order)).toEqual({ credit: eur(2_000), outside: eur(0), received: eur(0) })
      expect(await toCredit(order, 2_001)).toEqual({ kind: "too-much", received: eur(2_000) })
      expect(await toCredit(order, 500)).toEqual({ kind: "recorded", gateway: null })
      expect(await credit(order)).toEqual(eur(500))
      expect(await orderNow(backend(), order)).toMatchObject({ status: "paid", credited: eur(-1_500) })
      expect(await toCredit(order, 1_501)).toEqual({ kind: "too-much", received: eur(1_500) })
      await toCredit(order, 1_500)
      expect(await credit(order)).toEqual(eur(2_000))
      expect(await refundable(order)).toEqual({ credit: eur(0), outside: eur(0), received: eur(0) })
      expect(await toCredit(order, 1)).toEqual({ kind: "too-much", received: eur(0) })
      const again = await placed(backend(), { customerId: order.customerId, accountCreditScope: "account" })
      expect(again).toMatchObject({ status: "paid", credited: eur(-2_000) })
      await balanced()
    })

    test("is on the timeline with its reason, and leaves the status", async () => {
      const order = await paidByCredit(2_000)
      await toCredit(order, 700)
      expect((await backend().billing.timeline(order.id)).at(-1)).toEqual({
        kind: "refunded-to-credit",
        at: LATER,
        amount: eur(-700),
        reference: "operator: did not like it",
      })
      expect(await backend().operator.order(order.id)).toMatchObject({
        refunds: [{ target: "credit", amount: eur(700), reason: "did not like it", at: LATER }],
      })
      expect((await orderNow(backend(), order)).status).toBe("paid")
    })

    test("is recorded once by its key, and what is left is given back once by two operators", async () => {
      const order = await paidByCredit(2_000)
      const key = unique()
      const same = await together(4, () => toCredit(order, 500, { key }))
      expect(same.map(({ kind }) => kind).toSorted()).toEqual([
        "recorded",
        "repeated",
        "repeated",
        "repeated",
      ])
      const two = await together(4, () => toCredit(order, 1_500))
      expect(two.filter(({ kind }) => kind === "recorded")).toHaveLength(1)
      expect(await credit(order)).toEqual(eur(2_000))
      await balanced()
    })

    test("of an order that a gateway has paid in part gives back the part that account credit has paid first", async () => {
      const order = await paidByCredit(500)
      const attempt = await opened(backend(), order, 1_500)
      await record(paymentUpdate(attempt, "paid", 1_500))
      expect(await toCredit(order, 2_001)).toEqual({ kind: "too-much", received: eur(2_000) })
      expect(await refund(order, 1_501)).toEqual({ kind: "too-much", received: eur(1_500) })
      expect(await toCredit(order, 500)).toMatchObject({ kind: "recorded" })
      expect(await refund(order, 1_500)).toEqual({ kind: "recorded", gateway: "offshore" })
      expect(await credit(order)).toEqual(eur(500))
      expect(await orderNow(backend(), order)).toMatchObject({ received: eur(0), credited: eur(0) })
      await balanced()
    })

    /** An order that a gateway has paid, with a surplus of 1.00, as account credit already. */
    async function paidByGateway(minor = 2_100) {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      await record(paymentUpdate(attempt, "paid", minor))
      return { order, attempt }
    }

    test("gives what a gateway has received, and no refund of the payment takes that back", async () => {
      const { order } = await paidByGateway()
      expect(await refundable(order)).toEqual({ credit: eur(2_000), outside: eur(0), received: eur(2_100) })
      expect(await toCredit(order, 2_001)).toEqual({ kind: "too-much", received: eur(2_000) })
      expect(await toCredit(order, 500)).toEqual({ kind: "recorded", gateway: null })
      expect(await credit(order)).toEqual(eur(600))
      expect(await refundable(order)).toEqual({ credit: eur(1_500), outside: eur(0), received: eur(1_600) })
      expect(await refund(order, 1_601)).toEqual({ kind: "too-much", received: eur(1_600) })
      await refund(order, 1_100)
      expect(await orderNow(backend(), order)).toMatchObject({ received: eur(1_000), credited: eur(500) })
      await toCredit(order, 500)
      expect(await credit(order)).toEqual(eur(1_000))
      expect(await refundable(order)).toEqual({ credit: eur(0), outside: eur(0), received: eur(0) })
      expect(await refund(order, 1)).toEqual({ kind: "too-much", received: eur(0) })
      await balanced()
    })

    test("is taken back if the gateway pays back the whole payment all the same", async () => {
      const { order, attempt } = await paidByGateway()
      await toCredit(order, 500)
      const back = { ...paymentUpdate(attempt, "refunded", 2_100), refunded: eur(2_100) }
      await record(back, LATER)
      expect(await credit(order)).toEqual(eur(0))
      expect(await orderNow(backend(), order)).toMatchObject({ received: eur(0), credited: eur(0) })
      expect(await refundable(order)).toEqual({ credit: eur(0), outside: eur(0), received: eur(0) })
      await balanced()
    })

    test("of a payment is given once by two operators, or paid back by one of them", async () => {
      const { order } = await paidByGateway(2_000)
      const both = await Promise.all([toCredit(order, 1_500), refund(order, 1_500)])
      expect(both.map(({ kind }) => kind).toSorted()).toEqual(["recorded", "too-much"])
      await balanced()
    })

    test("of an order that was marked as paid after a part gives that part last", async () => {
      const order = await marked(500)
      expect(await refundable(order)).toEqual({ credit: eur(2_000), outside: eur(1_500), received: eur(500) })
      await toCredit(order, 1_600)
      expect(await refundable(order)).toEqual({ credit: eur(400), outside: eur(0), received: eur(400) })
      await toCredit(order, 400)
      expect(await credit(order)).toEqual(eur(2_000))
      expect(await refundable(order)).toEqual({ credit: eur(0), outside: eur(0), received: eur(0) })
      await balanced()
    })

    test("an unpaid order gives nothing back, nor one in another currency", async () => {
      const order = await paidByCredit(500)
      expect(await refundable(order)).toEqual({ credit: eur(0), outside: eur(0), received: eur(0) })
      expect(await toCredit(order, 1)).toEqual({ kind: "too-much", received: eur(0) })
      const paid = await paidByCredit(2_000)
      const dollars = await toCredit(paid, 0, { amount: money(100, "USD") })
      expect(dollars).toEqual({ kind: "too-much", received: eur(2_000) })
    })

    test("of an order that was marked as paid gives what the operator has received, after what was used", async () => {
      const before = await placed(backend())
      await record(paymentUpdate(await opened(backend(), before), "paid", 2_300))
      const order = await placed(backend(), { customerId: before.customerId, accountCreditScope: "account" })
      await backend().billing.applyOrderEvent(order.id, "paid", MARKED, "operator: by bank")
      expect(await refundable(order)).toEqual({ credit: eur(2_000), outside: eur(1_700), received: eur(0) })
      await toCredit(order, 1_000)
      expect(await orderNow(backend(), order)).toMatchObject({ received: eur(0), credited: eur(0) })
      expect(await refundable(order)).toEqual({ credit: eur(1_000), outside: eur(1_000), received: eur(0) })
      expect(await refund(order, 1_001)).toEqual({ kind: "too-much", received: eur(1_000) })
      await refund(order, 400)
      expect(await toCredit(order, 601)).toEqual({ kind: "too-much", received: eur(600) })
      await toCredit(order, 600)
      expect(await credit(order)).toEqual(eur(1_600))
      expect(await refundable(order)).toEqual({ credit: eur(0), outside: eur(0), received: eur(0) })
      await balanced()
    })
  })

  describe.runIf(!has.credit)("account credit of an external billing", () => {
    test("is refunded there", async () => {
      const order = await marked()
      expect(await refundable(order)).toMatchObject({ credit: eur(0) })
      expect(await toCredit(order, 100)).toEqual({ kind: "elsewhere" })
      expect((await backend().operator.order(order.id))?.refunds).toEqual([])
    })
  })

  describe("a refund of an order that was marked as paid", () => {
    test("is recorded without a payment, once by its key, and never exceeds what the operator has received", async () => {
      const order = await marked()
      const key = unique()
      expect(
        (await together(3, () => refund(order, 800, { key }))).map(({ kind }) => kind).toSorted(),
      ).toEqual(["recorded", "repeated", "repeated"])
      expect(await refund(order, 1_201)).toEqual({ kind: "too-much", received: eur(1_200) })
      const two = await together(3, () => refund(order, 1_200, { at: LATER + HOUR }))
      expect(two.filter(({ kind }) => kind === "recorded")).toHaveLength(1)
      expect((await backend().operator.order(order.id))?.refunds).toMatchObject([
        { target: "outside", amount: eur(800) },
        { target: "outside", amount: eur(1_200) },
      ])
      expect((await backend().billing.timeline(order.id)).at(-1)).toMatchObject({
        kind: "refunded",
        amount: eur(-1_200),
      })
      expect(await orderNow(backend(), order)).toMatchObject({ received: eur(0), credited: eur(0) })
      await balanced()
    })

    test("is not recorded if something else was refunded since it was decided on, also of refunds at once", async () => {
      const order = await marked(800)
      const decided = () => refund(order, 300, { refundedBefore: 0 })
      const kinds = (await together(4, decided)).map(({ kind }) => kind)
      expect(kinds.toSorted()).toEqual(["changed", "changed", "changed", "recorded"])
      const key = unique()
      expect(await refund(order, 300, { refundedBefore: 300, key })).toMatchObject({ kind: "recorded" })
      expect(await refund(order, 300, { refundedBefore: 300, key })).toMatchObject({ kind: "repeated" })
      expect((await backend().operator.order(order.id))?.refunded).toEqual(eur(600))
      await balanced()
    })

    test("a part that a gateway has received before is that payment's", async () => {
      const order = await marked(500)
      expect(await refundable(order)).toMatchObject({ outside: eur(1_500) })
      expect(await refund(order, 500)).toEqual({ kind: "recorded", gateway: "offshore" })
      expect(await refund(order, 1_500)).toEqual({ kind: "recorded", gateway: null })
      expect(await refund(order, 1)).toEqual({ kind: "too-much", received: eur(0) })
      await balanced()
    })

    test("a payment that arrives later is account credit, and no refund takes more than the operator has received", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      await backend().billing.applyOrderEvent(order.id, "paid", MARKED, "operator: by bank")
      await record(paymentUpdate(attempt, "paid", 2_000), LATER)
      expect(await refundable(order)).toMatchObject({ outside: eur(2_000) })
      // By hand, what a payment has received comes first.
      expect(await refund(order, 2_000, { at: LATER + HOUR })).toMatchObject({ gateway: "offshore" })
      expect(await refund(order, 2_000, { at: LATER + HOUR })).toEqual({ kind: "recorded", gateway: null })
      expect(await refund(order, 1, { at: LATER + HOUR })).toMatchObject({ kind: "too-much" })
      await balanced()
    })
  })
}
