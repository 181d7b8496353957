import { describe, expect, test } from "vitest"
import type { BillingError } from "~/billing/billing"
import type { NewOrder } from "~/billing/orders/new-order"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { type AccountCreditScope, LATE_PAYMENT_GRACE, type Order } from "~/domain/orders/order"
import { outstanding } from "~/domain/orders/settlement"
import {
  type BillingUnderTest,
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  placed,
  timelineKinds,
  together,
  unique,
} from "./billing-fixtures"

const eur = (minor: number) => money(minor, "EUR")

/** Tests what becomes of overpayments, late and partial payments, and how account credit pays the next invoice. */
export function customerCreditContract(backend: () => BillingUnderTest): void {
  const record = (it: ReturnType<typeof paymentUpdate>, at = NOON) =>
    backend().payments.recordPaymentUpdate("offshore", it, at)
  const credit = ({ customerId }: Order) => backend().payments.accountCredit(customerId, "EUR")

  /** Returns an order that has been overpaid by EUR 5.00. */
  const overpaid = async (changes: Partial<NewOrder> = {}): Promise<Order> => {
    const order = await placed(backend(), changes)
    await record(paymentUpdate(await opened(backend(), order), "paid", 2_500))
    return orderNow(backend(), order)
  }
  const next = ({ customerId }: Order, accountCreditScope: AccountCreditScope = "account") =>
    placed(backend(), { customerId, accountCreditScope })
  const usable = ({ customerId }: Order, scope: AccountCreditScope) =>
    backend().payments.accountCredit(customerId, "EUR", scope)
  const used = (orders: readonly Order[]) => orders.reduce((sum, { credited }) => sum - credited.minor, 0)

  describe("account credit", () => {
    test("account credit pays part of the next invoice, and the rest is due", async () => {
      const before = await overpaid()
      expect(before.credited).toEqual(eur(500))
      const order = await next(before)
      expect(order).toMatchObject({ status: "placed", received: eur(0), credited: eur(-500) })
      expect(outstanding(order)).toEqual(eur(1_500))
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "credit-used"])
      expect(await credit(order)).toEqual(eur(0))
      await record(paymentUpdate(await opened(backend(), order, 1_500), "paid", 1_500))
      expect((await orderNow(backend(), order)).status).toBe("paid")
    })

    test("account credit that covers an invoice pays it, and nothing is due", async () => {
      const first = await placed(backend())
      await record(paymentUpdate(await opened(backend(), first), "paid", 4_500))
      const order = await next(first)
      expect(order).toMatchObject({ status: "paid", credited: eur(-2_000) })
      expect(outstanding(order)).toEqual(eur(0))
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "credit-used", "paid"])
      const jobs = await backend().outbox.claim(NOON, HOUR, 9)
      expect(jobs.map(({ subject }) => subject)).toContain(order.serviceId)
      expect(await credit(order)).toEqual(eur(500))
    })

    test("an order that account credit covers but for one cent is not paid", async () => {
      const first = await placed(backend())
      await record(paymentUpdate(await opened(backend(), first), "paid", 3_999))
      const order = await next(first)
      expect(order).toMatchObject({ status: "placed", credited: eur(-1_999) })
      expect(outstanding(order)).toEqual(eur(1))
      expect(await timelineKinds(backend(), order)).toEqual(["placed", "credit-used"])
    })

    test("account credit is not used for an unauthenticated order without a previous order", async () => {
      const before = await overpaid()
      expect((await next(before, "none")).credited).toEqual(eur(0))
      expect((await next(before, "order none")).credited).toEqual(eur(0))
      expect(await credit(before)).toEqual(eur(500))
    })

    test("account credit of one order is spent once, however many copies of its cookie exist", async () => {
      const first = await overpaid()
      await overpaid({ customerId: first.customerId })
      expect(await usable(first, `order ${first.id}`)).toEqual(eur(500))
      const orders = await together(6, () => next(first, `order ${first.id}`))
      orders.push(await next(first, `order ${first.id}`))
      expect(used(orders)).toBe(500)
      expect(await usable(first, `order ${first.id}`)).toEqual(eur(0))
      expect(await credit(first)).toEqual(eur(500))
    })

    test("a grant adds nothing if another one came since it was decided on, also of grants at once", async () => {
      const { customerId } = await placed(backend())
      const grant = () => ({ key: unique(), amount: money(300, "EUR"), reason: "outage", at: NOON })
      const decided = () =>
        backend()
          .operator.grantAccountCredit(customerId, { ...grant(), grantedBefore: { since: 0, minor: 0 } })
          .catch((error: BillingError) => error.kind)
      expect((await together(4, decided)).toSorted()).toEqual(["refused", "refused", "refused", true])
      expect((await backend().payments.accountCredit(customerId, "EUR")).minor).toBe(300)
      const before = { since: 0, minor: 300 }
      const further = { ...grant(), grantedBefore: before }
      expect(await backend().operator.grantAccountCredit(customerId, further)).toBe(true)
      expect(await backend().operator.grantAccountCredit(customerId, further)).toBe(false)
    })

    test("account credit is not used by another customer's order", async () => {
      const [own, otherCustomersOrder] = [await overpaid(), await overpaid()]
      expect(await usable(own, `order ${otherCustomersOrder.id}`)).toEqual(eur(0))
      expect((await next(own, `order ${otherCustomersOrder.id}`)).credited).toEqual(eur(0))
      expect(await credit(own)).toEqual(eur(500))
    })

    test("account credit spent by its owner is unavailable to the browser that earned it", async () => {
      const before = await overpaid()
      expect((await next(before)).credited).toEqual(eur(-500))
      await overpaid({ customerId: before.customerId })
      expect((await next(before, `order ${before.id}`)).credited).toEqual(eur(0))
      expect(await credit(before)).toEqual(eur(500))
    })

    test("released account credit returns to the order it came from and can be spent again", async () => {
      const first = await overpaid()
      await overpaid({ customerId: first.customerId })
      const spent = await next(first, `order ${first.id}`)
      await together(3, () => backend().billing.applyOrderEvent(spent.id, "aborted", NOON))
      expect(await credit(first)).toEqual(eur(1_000))
      const orders = await together(4, () => next(first, `order ${first.id}`))
      expect(used(orders)).toBe(500)
    })

    test("account credit of several orders pays one invoice and is released in full", async () => {
      const first = await overpaid()
      for (let nth = 0; nth < 2; nth++) await overpaid({ customerId: first.customerId })
      const order = await next(first)
      expect(order.credited).toEqual(eur(-1_500))
      expect(await credit(first)).toEqual(eur(0))
      await backend().billing.applyOrderEvent(order.id, "aborted", NOON)
      expect(await orderNow(backend(), order)).toMatchObject({ status: "cancelled", credited: eur(0) })
      expect(await credit(first)).toEqual(eur(1_500))
      expect(await usable(first, `order ${first.id}`)).toEqual(eur(500))
    })

    test("account credit is spent once by concurrent orders", async () => {
      const before = await overpaid()
      const orders = await together(6, () => next(before))
      expect(used(orders)).toBe(500)
      expect(await credit(before)).toEqual(eur(0))
    })

    test("account credit is released when the order is cancelled", async () => {
      const before = await overpaid()
      const order = await next(before)
      await together(3, () => backend().billing.applyOrderEvent(order.id, "aborted", NOON))
      expect(await orderNow(backend(), order)).toMatchObject({ status: "cancelled", credited: eur(0) })
      expect(await credit(before)).toEqual(eur(500))
      expect(await timelineKinds(backend(), order)).toEqual([
        "placed",
        "credit-used",
        "cancelled",
        "credit-returned",
      ])
    })

    test("account credit is unavailable in another currency and for a customer without any", async () => {
      const { customerId } = await overpaid()
      expect(await backend().payments.accountCredit(customerId, "GBP")).toEqual(money(0, "GBP"))
      expect(await backend().payments.accountCredit(unique(), "EUR")).toEqual(eur(0))
    })
  })

  describe("late or insufficient payments", () => {
    test("a partial payment becomes credit when the order is cancelled, pays the next order, and is converted once", async () => {
      const order = await placed(backend())
      await record(paymentUpdate(await opened(backend(), order), "partially-paid", 1_200))
      await together(3, () => backend().billing.applyOrderEvent(order.id, "aborted", NOON))
      expect(await orderNow(backend(), order)).toMatchObject({ status: "cancelled", credited: eur(1_200) })
      expect(await credit(order)).toEqual(eur(1_200))
      expect((await timelineKinds(backend(), order)).slice(-2)).toEqual(["cancelled", "part-credited"])
      expect((await next(order)).credited).toEqual(eur(-1_200))
      const after = order.deadline + LATE_PAYMENT_GRACE + 1
      await backend().payments.creditUnappliedPayments(after, 9)
      expect(await orderNow(backend(), order)).toMatchObject({ credited: eur(1_200) })
    })

    test("a partial payment becomes credit in addition to the released credit when the order is cancelled", async () => {
      const before = await overpaid()
      const order = await next(before)
      await record(paymentUpdate(await opened(backend(), order, 1_500), "partially-paid", 700))
      await backend().billing.applyOrderEvent(order.id, "aborted", NOON)
      expect(await credit(order)).toEqual(eur(500 + 700))
      expect((await timelineKinds(backend(), order)).slice(-3)).toEqual([
        "cancelled",
        "credit-returned",
        "part-credited",
      ])
    })

    test("a refund reduces the account credit that the payment created", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      await record(paymentUpdate(attempt, "partially-paid", 1_200))
      await backend().billing.applyOrderEvent(order.id, "aborted", NOON)
      await record(paymentUpdate(attempt, "refunded", 0))
      expect(await credit(order)).toEqual(eur(0))
    })

    test("a payment a week after the deadline becomes credit, and the order stays expired", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      await backend().billing.applyOrderEvent(order.id, "deadlinePassed", NOON + DAY)
      const late = order.deadline + LATE_PAYMENT_GRACE + 1
      expect(await record(paymentUpdate(attempt, "paid", 2_000), late)).toMatchObject({ event: "credited" })
      expect(await orderNow(backend(), order)).toMatchObject({ status: "expired", credited: eur(2_000) })
      expect(await credit(order)).toEqual(eur(2_000))
    })

    for (const [event, at] of [
      ["deadlinePassed", NOON + DAY],
      ["aborted", NOON],
    ] as const) {
      /** An order of EUR 20.00 that used EUR 5.00 of credit, and got it back when it ended; its gateway was asked for EUR 15.00. */
      const ended = async () => {
        const before = await overpaid()
        const order = await next(before)
        const attempt = await opened(backend(), order, 1_500)
        await backend().billing.applyOrderEvent(order.id, event, at)
        expect(await credit(order)).toEqual(eur(500))
        return { before, order, attempt }
      }
      const late = at + HOUR

      test(`a late payment of what was asked after "${event}" pays the order, with the credit that it had used`, async () => {
        const { before, order, attempt } = await ended()
        expect(await record(paymentUpdate(attempt, "paid", 1_500), late)).toMatchObject({ event: "paid" })
        expect(await orderNow(backend(), order)).toMatchObject({
          status: "paid",
          received: eur(1_500),
          credited: eur(-500),
        })
        expect(await credit(order)).toEqual(eur(0))
        expect(await usable(order, `order ${before.id}`)).toEqual(eur(0))
        expect((await timelineKinds(backend(), order)).slice(-4)).toEqual([
          "credit-returned",
          "credit-used",
          "late",
          "paid",
        ])
      })

      test(`a late payment of the whole price after "${event}" leaves the credit alone`, async () => {
        const { order, attempt } = await ended()
        await record(paymentUpdate(attempt, "paid", 2_000), late)
        expect(await orderNow(backend(), order)).toMatchObject({ status: "paid", credited: eur(0) })
        expect(await credit(order)).toEqual(eur(500))
      })

      test(`a late payment after "${event}" that the credit does not complete leaves it alone`, async () => {
        const { order, attempt } = await ended()
        await record(paymentUpdate(attempt, "partially-paid", 1_000), late)
        expect(await orderNow(backend(), order)).toMatchObject({ received: eur(1_000), credited: eur(0) })
        expect(await credit(order)).toEqual(eur(500))
        await record(paymentUpdate(attempt, "paid", 1_500), late)
        expect(await orderNow(backend(), order)).toMatchObject({ status: "paid", credited: eur(-500) })
      })

      test(`a late payment after "${event}" is held if the credit was spent elsewhere`, async () => {
        const { order, attempt } = await ended()
        expect((await next(order)).credited).toEqual(eur(-500))
        await record(paymentUpdate(attempt, "paid", 1_500), late)
        expect((await orderNow(backend(), order)).status).not.toBe("paid")
        expect(await credit(order)).toEqual(eur(0))
      })

      test(`concurrent late payments and orders after "${event}" spend the credit once`, async () => {
        const { order, attempt } = await ended()
        const update = paymentUpdate(attempt, "paid", 1_500)
        const placing = Promise.all([next(order), next(order)])
        await Promise.all([record(update, late), record(update, late)])
        expect(used([...(await placing), await orderNow(backend(), order)])).toBe(500)
        expect(await credit(order)).toEqual(eur(0))
      })
    }

    test("a payment for an expired order is held during the grace period and becomes credit afterwards", async () => {
      const order = await placed(backend())
      await record(paymentUpdate(await opened(backend(), order), "partially-paid", 1_200))
      await backend().billing.applyOrderEvent(order.id, "deadlinePassed", NOON + DAY)
      expect(await backend().payments.creditUnappliedPayments(order.deadline + LATE_PAYMENT_GRACE, 9)).toBe(0)
      const after = order.deadline + LATE_PAYMENT_GRACE + 1
      const done = await together(4, () => backend().payments.creditUnappliedPayments(after, 9))
      expect(Math.max(...done)).toBe(1)
      expect(await credit(order)).toEqual(eur(1_200))
      const became = (await timelineKinds(backend(), order)).filter((kind) => kind.endsWith("credited"))
      // The part had come in time: only what an order cannot take any more is "credited".
      expect(became).toEqual(["part-credited"])
      expect(await backend().payments.creditUnappliedPayments(after, 9)).toBe(0)
    })

    test("concurrent sweeps record the credit of each order once", async () => {
      const orders: Order[] = []
      for (let nth = 0; nth < 8; nth++) {
        const order = await placed(backend())
        await record(paymentUpdate(await opened(backend(), order), "partially-paid", 1_200))
        await backend().billing.applyOrderEvent(order.id, "deadlinePassed", NOON + DAY)
        orders.push(order)
      }
      const after = Math.max(...orders.map(({ deadline }) => deadline)) + LATE_PAYMENT_GRACE + 1
      await together(8, () => backend().payments.creditUnappliedPayments(after, 9))
      const updateSequences = await Promise.all(orders.map((order) => timelineKinds(backend(), order)))
      const result = updateSequences.map(
        (timeline) => timeline.filter((kind) => kind === "part-credited").length,
      )
      expect(result).toEqual(orders.map(() => 1))
    })

    test("a payment may be short by the configured tolerance", async () => {
      const order = await placed(backend())
      const attempt = await opened(backend(), order)
      await backend().payments.recordPaymentUpdate(
        "offshore",
        paymentUpdate(attempt, "partially-paid", 1_990),
        NOON,
        50,
      )
      expect((await orderNow(backend(), order)).status).toBe("paid")
    })
  })
}
