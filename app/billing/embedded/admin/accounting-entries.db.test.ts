import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { AccountingEntry } from "~/billing/documents/accounting"
import { money } from "~/domain/money/money"
import {
  NOON,
  opened,
  paymentUpdate,
  placed,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"

describe.each(engines)("the ledgers as a bookkeeper reads them on %s", (engine) => {
  let shop: BillingWithTerms
  beforeEach(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterEach(() => shop.close())

  const whole = { from: NOON - 1_000, until: NOON + 1_000 }

  async function read(span: typeof whole, limit: number): Promise<readonly AccountingEntry[]> {
    const entries: AccountingEntry[] = []
    let after: string | null = null
    do {
      const page = await shop.operator.accountingEntries(span, { after, limit })
      expect(page.entries.length).toBeLessThanOrEqual(limit)
      entries.push(...page.entries)
      after = page.next
    } while (after !== null)
    return entries
  }

  const rowsOf = (entries: readonly AccountingEntry[]) =>
    entries.map(({ at, kind, cause, orderId, amount }) => [at - NOON, kind, cause, orderId, amount.minor])

  /** An overpaid order, an order that uses the surplus, and a refund of the first. */
  async function trade() {
    const one = await placed(shop)
    const attempt = await opened(shop, one)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_300), NOON)
    const owner = { customerId: one.customerId, accountCreditScope: "account" } as const
    const other = await placed(shop, { ...owner, at: NOON + 5 })
    const refund = { key: unique(), amount: money(500, "EUR"), reason: "asked", at: NOON + 9 }
    await shop.operator.recordRefund(one.id, refund)
    return { one, other }
  }

  test("has payments, refunds and what became and left account credit, each as what it is, oldest first", async () => {
    const { one, other } = await trade()
    const entries = await read(whole, 50)
    expect(rowsOf(entries).toSorted()).toEqual(
      [
        [0, "payment", null, one.id, 2_300],
        [0, "credit", "surplus", one.id, 300],
        [5, "credit", "used", other.id, -300],
        [9, "refund", null, one.id, -500],
        [9, "credit", "surplus", one.id, -300],
      ].toSorted(),
    )
    const [payment] = entries.filter(({ kind }) => kind === "payment")
    expect(payment).toMatchObject({ gateway: "offshore", transactionId: expect.any(String) })
    const times = entries.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test.each([1, 2, 3])(
    "is read in pages of %i, each entry once, also those of the same instant",
    async (limit) => {
      await trade()
      await trade()
      expect(rowsOf(await read(whole, limit))).toEqual(rowsOf(await read(whole, 50)))
      expect(await read(whole, 50)).toHaveLength(10)
    },
  )

  test("has the entries from the first instant of a span until before the last", async () => {
    await trade()
    expect(rowsOf(await read({ from: NOON, until: NOON + 5 }, 50)).map(([at]) => at)).toEqual([0, 0])
    expect(rowsOf(await read({ from: NOON + 5, until: NOON + 9 }, 50)).map(([at]) => at)).toEqual([5])
  })

  test("credit that an operator has granted belongs to no order", async () => {
    const { customerId } = await placed(shop)
    const grant = { key: unique(), amount: money(700, "EUR"), reason: "sorry", at: NOON }
    await shop.operator.grantAccountCredit(customerId, grant)
    expect(rowsOf(await read(whole, 50))).toEqual([[0, "credit", "granted", null, 700]])
  })

  test("account credit that an order is refunded as is that order's, whether it had used it or not", async () => {
    const { other } = await trade()
    await shop.billing.applyOrderEvent(other.id, "paid", NOON + 20, "operator: by bank")
    const amount = money(1_000, "EUR")
    const refund = { amount, reason: "asked", at: NOON + 30, toCredit: true }
    await shop.operator.recordRefund(other.id, { ...refund, key: unique() })
    expect(rowsOf(await read({ from: NOON + 30, until: NOON + 40 }, 50)).toSorted()).toEqual([
      [30, "credit", "refunded", other.id, 700],
      [30, "credit", "returned", other.id, 300],
    ])
    const shown = await shop.operator.customer(other.customerId)
    expect(shown?.creditMovements.find(({ cause }) => cause === "refunded")).toMatchObject({
      orderId: other.id,
      reason: "asked",
    })
  })

  test.each([1, 50])(
    "what the operator has received outside the gateways, and paid back there, is read in pages of %i",
    async (limit) => {
      const order = await placed(shop)
      const attempt = await opened(shop, order)
      await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "partially-paid", 400), NOON)
      await shop.billing.applyOrderEvent(order.id, "paid", NOON + 20, "operator: by bank")
      const refund = { amount: money(500, "EUR"), reason: "asked", at: NOON + 30 }
      await shop.operator.recordRefund(order.id, { ...refund, key: unique() })
      const entries = await read(whole, limit)
      expect(rowsOf(entries)).toEqual([
        [0, "payment", null, order.id, 400],
        [20, "payment", null, order.id, 1_600],
        [30, "refund", null, order.id, -500],
      ])
      expect(entries.map(({ gateway }) => gateway)).toEqual(["offshore", null, null])
      const shown = await shop.operator.order(order.id)
      expect(shown?.movements.map(({ gateway, amount }) => [gateway, amount.minor])).toEqual([
        ["offshore", 400],
        [null, 1_600],
        [null, -500],
      ])
      const customer = await shop.operator.customer(order.customerId)
      expect(customer?.payments.map(({ gateway, amount }) => [gateway, amount.minor])).toEqual([
        [null, -500],
        [null, 1_600],
        ["offshore", 400],
      ])
    },
  )

  test("an order that nothing is due of has no entry when it is marked as paid", async () => {
    const { one } = await trade()
    const owner = { customerId: one.customerId, accountCreditScope: "account" } as const
    await shop.operator.grantAccountCredit(one.customerId, {
      key: unique(),
      amount: money(5_000, "EUR"),
      reason: "sorry",
      at: NOON + 10,
    })
    const covered = await placed(shop, { ...owner, at: NOON + 11 })
    await shop.billing.applyOrderEvent(covered.id, "paid", NOON + 12, "operator: again")
    expect((await shop.operator.order(covered.id))?.movements).toEqual([])
  })

  describe("of a payment that matched no order", () => {
    /** Reports 20.00 that match no order, and assigns them. */
    async function assigned(
      to: { readonly orderId: string } | { readonly customerId: string },
      key = unique(),
    ) {
      const amount = money(2_000, "EUR")
      const update = {
        eventKey: key,
        attemptId: key,
        status: "paid",
        received: amount,
        transactionId: "tx-9",
      } as const
      const report = {
        gateway: "offshore",
        eventKey: key,
        attemptId: key,
        update,
        paymentId: "tx-9",
      } as const
      const reason = { reason: "unknown-attempt", detail: "a report" } as const
      await shop.payments.recordUnapplied({ ...report, ...reason }, NOON)
      const [{ id } = { id: "" }] = await shop.unmatched.list({ isOpen: true, limit: 1 })
      const settling = { operator: "marta@shop.test", reason: "paid by her", at: NOON, tolerance: 0 }
      return shop.unmatched.assign({ ...settling, id, expected: amount, amount, to })
    }
    const bookedOf = (entries: readonly AccountingEntry[]) =>
      entries.map(({ kind, cause, gateway, transactionId, amount }) => [
        kind,
        cause,
        gateway,
        transactionId,
        amount.minor,
      ])

    test("and was assigned to an order, it is that order's payment", async () => {
      const { id } = await placed(shop)
      await assigned({ orderId: id })
      const entries = await read(whole, 50)
      expect(entries.map(({ orderId }) => orderId)).toEqual([id])
      expect(bookedOf(entries)).toEqual([["payment", null, "offshore", "tx-9", 2_000]])
    })

    test.each([1, 2, 3, 50])(
      "and was assigned to a customer, it is a payment that became account credit, in pages of %i",
      async (limit) => {
        const { customerId } = await placed(shop)
        await assigned({ customerId })
        await assigned({ customerId })
        const entries = await read(whole, limit)
        expect(entries.map(({ orderId }) => orderId)).toEqual([null, null, null, null])
        expect(bookedOf(entries).toSorted()).toEqual(
          [
            ["payment", null, "offshore", "tx-9", 2_000],
            ["payment", null, "offshore", "tx-9", 2_000],
            ["credit", "assigned", null, null, 2_000],
            ["credit", "assigned", null, null, 2_000],
          ].toSorted(),
        )
      },
    )
  })

  test("a place that is none is refused", async () => {
    const page = { after: "yesterday", limit: 5 }
    await expect(shop.operator.accountingEntries(whole, page)).rejects.toMatchObject({ kind: "refused" })
  })
})
