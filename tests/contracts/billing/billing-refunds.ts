import { describe, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { LATE_PAYMENT_GRACE, type Order } from "~/domain/orders/order"
import { type BillingUnderTest, NOON, opened, orderNow, paymentUpdate, placed } from "./billing-fixtures"

const eur = (minor: number) => money(minor, "EUR")

/** Tests what refunds take back, and from where, in any order of reports. */
export function refundContract(backend: () => BillingUnderTest, has: { credit: boolean }): void {
  const record = (it: ReturnType<typeof paymentUpdate>, at = NOON) =>
    backend().payments.recordPaymentUpdate("offshore", it, at)
  const credit = ({ customerId }: Order) => backend().payments.accountCredit(customerId, "EUR")

  describe("a refund", () => {
    test("a refund is a negative ledger entry and leaves the order's status unchanged", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      await record(paymentUpdate(attempt, "paid", 2_000))
      expect(await record(paymentUpdate(attempt, "refunded", 500))).toMatchObject({ event: "refunded" })
      expect((await backend().ledger(order.id)).received).toEqual([eur(2_000), eur(-1_500)])
      expect(await orderNow(backend(), order)).toMatchObject({ status: "paid", received: eur(500) })
      expect((await backend().billing.timeline(order.id)).at(-1)).toMatchObject({ amount: eur(-1_500) })
    })

    test("a partial refund that a paid payment reports first is one refund on the timeline", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      await record({ ...paymentUpdate(attempt, "paid", 2_000), refunded: eur(500) })
      const before = await backend().billing.timeline(order.id)
      const again = { ...paymentUpdate(attempt, "refunded", 2_000), refunded: eur(500) }
      expect(await record(again)).toMatchObject({ kind: "applied", event: null })
      expect(await backend().billing.timeline(order.id)).toEqual(before)
    })

    test("a refund reduces the account credit of an overpayment", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      await record(paymentUpdate(attempt, "paid", 2_500))
      await record(paymentUpdate(attempt, "refunded", 2_000))
      expect(await credit(order)).toEqual(eur(0))
      expect(await orderNow(backend(), order)).toMatchObject({ received: eur(2_000), credited: eur(0) })
    })

    test.each([
      ["after the payment", ["paid", "refund"]],
      ["before the payment", ["refund", "paid"]],
      ["and the payment is reported again, late", ["paid", "refund", "paid"]],
      ["twice", ["paid", "refund", "refund"]],
    ] as const)(
      "a partial refund reported %s reduces the received amount by that part",
      async (_, result) => {
        const order = await placed(backend())
        const attempt = await opened(backend(), order)
        for (const it of result) {
          const update = paymentUpdate(attempt, "paid", 2_000)
          await record(it === "paid" ? update : { ...update, refunded: eur(300) })
        }
        expect(await orderNow(backend(), order)).toMatchObject({ received: eur(1_700) })
        const { received } = await backend().ledger(order.id)
        expect(received.reduce((sum, { minor }) => sum + minor, 0)).toBe(1_700)
      },
    )

    test("a refund without an amount counts as a full refund, including the surplus", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      await record(paymentUpdate(attempt, "paid", 2_500))
      expect(await record(paymentUpdate(attempt, "refunded", 2_500))).toMatchObject({ event: "refunded" })
      await record(paymentUpdate(attempt, "paid", 2_500))
      expect(await orderNow(backend(), order)).toMatchObject({ received: eur(0), credited: eur(0) })
      expect(await credit(order)).toEqual(eur(0))
    })

    test.runIf(has.credit)(
      "a refund takes back the surplus of an order that was partly paid from account credit",
      async () => {
        const first = await placed(backend())
        await record(paymentUpdate(await opened(backend(), first), "paid", 2_500))
        const order = await placed(backend(), { customerId: first.customerId, accountCreditScope: "account" })
        const attempt = await opened(backend(), order, 1_500)
        await record(paymentUpdate(attempt, "paid", 2_100))
        expect(await credit(order)).toEqual(eur(600))
        await record({ ...paymentUpdate(attempt, "paid", 2_100), refunded: eur(600) })
        expect(await credit(order)).toEqual(eur(0))
        expect(await orderNow(backend(), order)).toMatchObject({ received: eur(1_500), credited: eur(-500) })
      },
    )

    test.runIf(has.credit)("a partial refund for a cancelled order leaves the customer no debt", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      await record(paymentUpdate(attempt, "partially-paid", 1_200))
      await backend().billing.applyOrderEvent(order.id, "deadlinePassed", NOON + DAY)
      await record(paymentUpdate(attempt, "refunded", 0), order.deadline + LATE_PAYMENT_GRACE + 1)
      expect(await orderNow(backend(), order)).toMatchObject({ received: eur(0), credited: eur(0) })
      const other = await placed(backend(), { customerId: order.customerId })
      await record(paymentUpdate(await opened(backend(), other), "paid", 2_100))
      expect(await credit(order)).toEqual(eur(100))
    })

    test("a payment after a refund covers the refunded part and is recorded as a payment", async () => {
      const order = await placed(backend())
      const first = await opened(backend(), order)
      const second = await opened(backend(), order, 1_999)
      await record(paymentUpdate(first, "paid", 2_000))
      await record(paymentUpdate(first, "refunded", 0))
      expect(await record(paymentUpdate(second, "paid", 2_000))).toMatchObject({ event: "paid" })
      expect(await orderNow(backend(), order)).toMatchObject({ received: eur(2_000), credited: eur(0) })
    })
  })
}
