import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import {
  active,
  catalogueFixture,
  NOON,
  news,
  opened,
  placed,
  promotions,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type RestockableBooks,
} from "../../../../tests/contracts/billing/embedded-billing"
import { freshDatabase } from "../../../../tests/support/db/postgres"

const engines = [
  { engine: "SQLite", address: async () => ":memory:" },
  { engine: "PostgreSQL", address: () => freshDatabase(inject("postgres")) },
]

describe.each(engines)("on $engine", ({ engine, address }) => {
  let books: RestockableBooks
  beforeAll(async () => {
    books = await createEmbeddedBilling(await address(), catalogueFixture)
  })
  afterAll(() => books.close())

  test("books without an order have nothing that waits", async () => {
    expect(await books.figures(NOON, NOON - DAY)).toEqual({
      orders: {
        ...{ placed: 0, "awaiting-payment": 0, "partially-paid": 0, paid: 0 },
        ...{ active: 0, cancelled: 0, expired: 0, fraud: 0 },
      },
      ...{ paidSince: null, dueSince: null, jobs: { waiting: 0, parked: 0 } },
    })
  })

  test("orders are counted by the state they are in, and those of before yesterday no more", async () => {
    await active(books)
    await placed(books, { at: NOON - 2 * DAY })
    const order = await placed(books)
    const attempt = await opened(books, order)
    await books.payments.recordPaymentUpdate("offshore", news(attempt, "paid", 2_000), NOON + MINUTE)
    const { orders } = await books.figures(NOON, NOON - DAY)
    expect(orders).toMatchObject({ placed: 0, paid: 1, active: 1 })
    expect((await books.figures(NOON, NOON - 3 * DAY)).orders).toMatchObject({ placed: 1 })
  })

  test("the order that was paid first and is not set up, however old it is, says since when somebody waits", async () => {
    await placed(books, { at: NOON - 5 * DAY }, promotions.free)
    expect(await books.figures(NOON, NOON - DAY)).toMatchObject({ paidSince: NOON - 5 * DAY })
  })

  test("a job is overdue from when it is due, no more while somebody is at it, and parked when given up", async () => {
    const { jobs, dueSince } = await books.figures(NOON + DAY, NOON)
    expect(dueSince).toBe(NOON - 5 * DAY)
    const [job, ...others] = await books.outbox.claim(NOON + DAY, MINUTE, 10)
    expect(others).toHaveLength(jobs.waiting - 1)
    expect(await books.figures(NOON + DAY, NOON)).toMatchObject({ dueSince: null })
    if (job) await books.outbox.reschedule(job, { at: NOON, due: null, reason: "no such service" })
    expect((await books.figures(NOON, NOON)).jobs).toEqual({ waiting: jobs.waiting - 1, parked: 1 })
  })

  test("the connections are those to a server, which a file has none of", async () => {
    await books.billing.plans()
    const connections = books.connections()
    if (engine === "SQLite") return expect(connections).toBeNull()
    expect(connections).toMatchObject({ busy: 0, waiting: 0 })
    expect(connections?.idle).toBeGreaterThan(0)
  })
})
