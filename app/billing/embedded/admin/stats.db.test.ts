import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import {
  active,
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  placed,
  promotions,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../../tests/contracts/billing/embedded-billing"
import { freshMigratedDatabase } from "../../../../tests/support/db/migrated-postgres"

const engines = [
  { engine: "SQLite", address: async () => ":memory:" },
  { engine: "PostgreSQL", address: () => freshMigratedDatabase(inject("postgres")) },
]

describe.each(engines)("on $engine", ({ engine, address }) => {
  let backend: SeedableBilling
  beforeAll(async () => {
    backend = await createEmbeddedBilling(await address(), catalogueFixture)
  })
  afterAll(() => backend.close())

  test("figures are zero and null for a database without orders", async () => {
    expect(await backend.figures(NOON, NOON - DAY)).toEqual({
      orders: {
        placed: 0,
        "awaiting-payment": 0,
        "partially-paid": 0,
        paid: 0,
        active: 0,
        cancelled: 0,
        expired: 0,
        fraud: 0,
      },
      paidSince: null,
      dueSince: null,
      brakeSince: null,
      stepDueSince: null,
      jobs: { waiting: 0, parked: 0 },
    })
  })

  test("figures count orders by current status, without those placed before `since`", async () => {
    await active(backend)
    await placed(backend, { at: NOON - 2 * DAY })
    const order = await placed(backend)
    const attempt = await opened(backend, order)
    await backend.payments.recordPaymentUpdate(
      "offshore",
      paymentUpdate(attempt, "paid", 2_000),
      NOON + MINUTE,
    )
    const { orders } = await backend.figures(NOON, NOON - DAY)
    expect(orders).toMatchObject({ placed: 0, paid: 1, active: 1 })
    expect((await backend.figures(NOON, NOON - 3 * DAY)).orders).toMatchObject({ placed: 1 })
  })

  test("paidSince is when the oldest unprovisioned order was paid, even before `since`", async () => {
    await placed(backend, { at: NOON - 5 * DAY }, promotions.free)
    expect(await backend.figures(NOON, NOON - DAY)).toMatchObject({ paidSince: NOON - 5 * DAY })
  })

  test("a job counts as overdue once due, not while claimed, and as parked when rescheduled without a due date", async () => {
    const { jobs, dueSince } = await backend.figures(NOON + DAY, NOON)
    expect(dueSince).toBe(NOON - 5 * DAY)
    const [job, ...others] = await backend.outbox.claim(NOON + DAY, MINUTE, 10)
    expect(others).toHaveLength(jobs.waiting - 1)
    expect(await backend.figures(NOON + DAY, NOON)).toMatchObject({ dueSince: null })
    if (job) await backend.outbox.reschedule(job, { at: NOON, due: null, reason: "no such service" })
    expect((await backend.figures(NOON, NOON)).jobs).toEqual({ waiting: jobs.waiting - 1, parked: 1 })
  })

  test("connections returns pool statistics for PostgreSQL and null for SQLite", async () => {
    await backend.billing.plans()
    const connections = backend.connections()
    if (engine === "SQLite") return expect(connections).toBeNull()
    expect(connections).toMatchObject({ busy: 0, waiting: 0 })
    expect(connections?.idle).toBeGreaterThan(0)
  })
})
