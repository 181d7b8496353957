import { afterEach, beforeEach, describe, expect, inject, test } from "vitest"
import type { UnappliedReport } from "~/billing/payment-repository"
import { HOUR, type Instant } from "~/domain/calendar"
import { money } from "~/domain/money"
import type { PaymentStatus } from "~/domain/payment"
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
import { freshDatabase } from "../../../../tests/support/db/postgres"

const engines: [string, () => Promise<string>][] = [
  ["SQLite", async () => ":memory:"],
  ["PostgreSQL", () => freshDatabase(inject("postgres"))],
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
    (await backend.overview.needs({ now: NOON + HOUR, yesterday: "2026-06-14", down: [] })).map(
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
})
