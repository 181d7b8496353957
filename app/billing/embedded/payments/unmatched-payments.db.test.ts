import { afterEach, beforeEach, describe, expect, inject, test } from "vitest"
import type { UnappliedReport } from "~/billing/payments/payment-repository"
import { HOUR, type Instant } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { PaymentStatus } from "~/domain/payments/payment"
import {
  catalogueFixture,
  NOON,
  opened,
  placed,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../../tests/contracts/billing/embedded-billing"
import { nothingWrong } from "../../../../tests/fixtures/need-query"
import { freshMigratedDatabase } from "../../../../tests/support/db/migrated-postgres"

const engines: [string, () => Promise<string>][] = [
  ["SQLite", async () => ":memory:"],
  ["PostgreSQL", () => freshMigratedDatabase(inject("postgres"))],
]

describe.each(engines)("payments that match no order, on %s", (_, address) => {
  let backend: SeedableBilling
  beforeEach(async () => {
    backend = await createEmbeddedBilling(await address(), catalogueFixture)
  })
  afterEach(() => backend.close())

  type Reported = { status?: PaymentStatus; received?: number; refunded?: number; attemptId?: string }

  async function report(
    { status = "paid", received = 20_00, refunded, attemptId = "elsewhere" }: Reported,
    at: Instant = NOON,
  ) {
    const update = {
      eventKey: unique(),
      attemptId,
      status,
      received: money(received, "EUR"),
      ...(refunded !== undefined && { refunded: money(refunded, "EUR") }),
      transactionId: "tx-9",
    }
    await record({ eventKey: update.eventKey, attemptId, update, paymentId: "tx-9" }, at)
  }
  const record = (changes: Partial<UnappliedReport>, at: Instant = NOON) =>
    backend.payments.recordUnapplied(
      {
        gateway: "offshore",
        eventKey: unique(),
        reason: "unknown-attempt",
        attemptId: null,
        detail: "a report",
        ...changes,
      },
      at,
    )
  const open = () => backend.unmatched.list({ isOpen: true, limit: 10 })
  const handled = () => backend.unmatched.list({ isOpen: false, limit: 10 })
  const needs = async () =>
    (await backend.overview.needs({ now: NOON + HOUR, yesterday: "2026-06-14", ...nothingWrong })).map(
      ({ kind, amount }) => [kind, amount?.minor],
    )
  async function close(state: "returned" | "dismissed", expected = money(20_00, "EUR") as unknown) {
    const [payment] = await open()
    const settling = { operator: "marta@shop.test", reason: "asked", at: NOON + HOUR, reference: "r-1" }
    return backend.unmatched.close({
      ...settling,
      id: payment?.id ?? "",
      state,
      expected: expected as ReturnType<typeof money> | null,
    })
  }

  test("are one row each, with the highest amount, however often and in whatever order it is reported", async () => {
    await report({ status: "processing", received: 0 })
    expect(await open()).toEqual([])
    await report({ status: "partially-paid", received: 12_00 })
    await report({ received: 20_00 }, NOON + HOUR)
    await report({ status: "partially-paid", received: 12_00 }, NOON + HOUR)
    expect(await open()).toMatchObject([
      {
        gateway: "offshore",
        paymentId: "tx-9",
        attemptId: "elsewhere",
        reason: "unknown-attempt",
        amount: { minor: 20_00, currency: "EUR" },
        count: 3,
        firstAt: NOON,
        at: NOON + HOUR,
        state: "open",
        reportedOrderId: null,
        handling: null,
      },
    ])
    expect(await needs()).toEqual([["unmatched-money", 20_00]])
  })

  test("name the order of the attempt that was paid in another currency", async () => {
    const order = await placed(backend)
    const attempt = await opened(backend, order)
    await report({ attemptId: attempt.id })
    expect(await open()).toMatchObject([{ reportedOrderId: order.id }])
  })

  test("leave the overview and the list once they were returned, and are listed with who did it", async () => {
    await report({})
    expect(await close("returned")).toBe(true)
    expect([await open(), await needs()]).toEqual([[], []])
    expect(await handled()).toMatchObject([
      {
        state: "returned",
        amount: { minor: 20_00 },
        handling: { reference: "r-1", operator: "marta@shop.test", reason: "asked", at: NOON + HOUR },
      },
    ])
  })

  test("are settled once by operators who press at the same time", async () => {
    await report({})
    const results = await Promise.all([1, 2, 3, 4].map(() => close("returned")))
    expect(results.filter(Boolean)).toEqual([true])
    expect(await close("returned")).toBe(false)
  })

  test("are not settled with an amount that has changed since it was seen", async () => {
    await report({})
    expect(await close("returned", money(19_00, "EUR"))).toBe(false)
    expect(await close("dismissed", null)).toBe(false)
    expect(await open()).toHaveLength(1)
  })

  test("are open again with what has arrived since, and not by a repeated report", async () => {
    await report({ received: 20_00 })
    await close("returned")
    await report({ received: 20_00 })
    await report({ status: "partially-paid", received: 12_00 })
    expect(await open()).toEqual([])
    await report({ received: 25_00 })
    expect(await open()).toMatchObject([{ amount: { minor: 5_00 } }])
  })

  test("are closed by the gateway's own report that it has refunded the money, and not by a part of it", async () => {
    await report({})
    await report({ received: 20_00, refunded: 5_00 })
    expect(await open()).toMatchObject([{ amount: { minor: 15_00 } }])
    await report({ status: "refunded", received: 20_00, refunded: 20_00 })
    expect(await open()).toEqual([])
    expect(await handled()).toMatchObject([{ state: "returned", handling: null }])
  })

  test("whose report cannot be read have no amount, until a later one names it", async () => {
    await record({ reason: "unreadable", attemptId: "elsewhere" })
    expect(await open()).toMatchObject([{ amount: null, reason: "unreadable" }])
    expect(await close("dismissed", null)).toBe(true)
    expect(await handled()).toMatchObject([{ state: "dismissed", amount: null }])
    await report({})
    expect(await open()).toMatchObject([{ amount: { minor: 20_00 } }])
  })

  describe("assigned", () => {
    test("need a person again once their gateway pays them back, until that is noted as returned", async () => {
      const order = await placed(backend)
      await report({})
      await assign({ orderId: order.id })
      expect(await needs()).toEqual([])
      const paidBack = () => report({ status: "refunded", received: 20_00, refunded: 5_00 }, NOON + HOUR)
      await paidBack()
      await paidBack()
      expect(await needs()).toEqual([["money-paid-back", -5_00]])
      expect(await open()).toMatchObject([
        { amount: { minor: -5_00 }, takenBackFrom: { orderId: order.id, customerId: null } },
      ])
      expect(await close("returned", money(-4_00, "EUR"))).toBe(false)
      expect(await close("returned", money(-5_00, "EUR"))).toBe(true)
      expect([await open(), await needs()]).toEqual([[], []])
      expect(await handled()).toMatchObject([
        { state: "returned", amount: { minor: 15_00 }, handling: { orderId: order.id, reference: "r-1" } },
      ])
      await report({ status: "refunded", received: 20_00, refunded: 20_00 }, NOON + HOUR)
      expect(await needs()).toEqual([["money-paid-back", -15_00]])
    })

    async function assign(
      to: { orderId: string } | { customerId: string },
      {
        amount = money(20_00, "EUR"),
        expected = money(20_00, "EUR") as ReturnType<typeof money> | null,
      } = {},
    ) {
      const [payment] = await open()
      const settling = { operator: "marta@shop.test", reason: "paid by her", at: NOON + HOUR, tolerance: 0 }
      return backend.unmatched.assign({ ...settling, id: payment?.id ?? "", expected, amount, to })
    }
    test("whose reports never name an amount need a person again once they are paid back, and by no repeated report", async () => {
      const order = await placed(backend)
      await record({ reason: "unreadable", attemptId: "elsewhere" })
      expect((await assign({ orderId: order.id }, { expected: null })).kind).toBe("assigned")
      await record({ reason: "unreadable", attemptId: "elsewhere" })
      expect([await open(), await needs()]).toEqual([[], []])
      const paidBack = () => report({ status: "refunded", received: 0 }, NOON + HOUR)
      await paidBack()
      await paidBack()
      expect(await needs()).toEqual([["money-paid-back", -20_00]])
      expect(await open()).toMatchObject([
        { amount: { minor: -20_00 }, takenBackFrom: { orderId: order.id, customerId: null } },
      ])
      expect(await close("returned", money(-20_00, "EUR"))).toBe(true)
      expect([await open(), await needs()]).toEqual([[], []])
      await paidBack()
      expect(await needs()).toEqual([])
    })

    const credit = async (id: string) => (await backend.payments.accountCredit(id, "EUR")).minor
    const ledgerOf = async (id: string) => (await backend.ledger(id)).received.map(({ minor }) => minor)

    test("to an order they pay it, once, with the provider's id in its ledger, and are in nobody's way any more", async () => {
      const order = await placed(backend)
      await report({})
      expect(await assign({ orderId: order.id })).toEqual({ kind: "assigned", isPaid: true })
      expect(await assign({ orderId: order.id })).toEqual({ kind: "changed" })
      expect((await backend.billing.order(order.id))?.status).toBe("paid")
      expect(await ledgerOf(order.id)).toEqual([20_00])
      expect((await backend.operator.order(order.id))?.movements).toMatchObject([{ transactionId: "tx-9" }])
      expect([await open(), (await needs()).filter(([kind]) => kind === "unmatched-money")]).toEqual([[], []])
      expect(await handled()).toMatchObject([
        { state: "assigned", amount: { minor: 20_00 }, handling: { orderId: order.id, customerId: null } },
      ])
      expect(await backend.operator.findImbalances()).toEqual([])
    })

    test("by operators who press at the same time they are booked once, for an order and for a customer", async () => {
      const order = await placed(backend)
      const { customerId } = await placed(backend)
      await report({})
      const targets = [{ orderId: order.id }, { customerId }, { orderId: order.id }, { customerId }]
      const outcomes = await Promise.all(targets.map((to) => assign(to)))
      expect(outcomes.filter(({ kind }) => kind === "assigned")).toHaveLength(1)
      const booked = [...(await ledgerOf(order.id)), await credit(customerId)].filter((it) => it > 0)
      expect(booked).toEqual([20_00])
      expect(await backend.operator.findImbalances()).toEqual([])
    })

    test("to an order that has all of its money, or takes none any more, they become account credit of its customer", async () => {
      const paid = await placed(backend)
      const cancelled = await placed(backend)
      await backend.billing.applyOrderEvent(cancelled.id, "aborted", NOON)
      await report({})
      await assign({ orderId: paid.id })
      await report({ attemptId: "another" })
      expect(await assign({ orderId: paid.id })).toEqual({ kind: "assigned", isPaid: false })
      expect(await credit(paid.customerId)).toBe(20_00)
      expect(await backend.operator.findImbalances()).toEqual([])
    })

    test("to a customer they are account credit", async () => {
      const { customerId } = await placed(backend)
      await report({})
      expect(await assign({ customerId })).toEqual({ kind: "assigned", isPaid: false })
      expect(await credit(customerId)).toBe(20_00)
      expect(await handled()).toMatchObject([{ state: "assigned", handling: { orderId: null, customerId } }])
    })

    test("with an amount that the reports do not say are not open again once a report says it", async () => {
      const order = await placed(backend)
      await record({ reason: "unreadable", attemptId: "elsewhere" })
      expect(await assign({ orderId: order.id }, { expected: null })).toMatchObject({ isPaid: true })
      await report({})
      expect(await open()).toEqual([])
    })

    test("to an order in another currency, to none, or with another amount than was seen change nothing", async () => {
      const order = await placed(backend)
      await report({})
      expect(await assign({ orderId: order.id }, { amount: money(20_00, "USD") })).toEqual({
        kind: "no-such-order",
      })
      expect(await assign({ orderId: "NONE" })).toEqual({ kind: "no-such-order" })
      expect(await assign({ orderId: order.id }, { expected: money(1, "EUR") })).toEqual({ kind: "changed" })
      expect(await ledgerOf(order.id)).toEqual([])
      expect(await open()).toHaveLength(1)
    })
  })
})
