import { sql } from "kysely"
import { expect, inject, test } from "vitest"
import { money } from "~/domain/money/money"
import { settle } from "~/domain/orders/settlement"
import { insertRow, rowsOfBefore, type StoredRow } from "../../../../../tests/fixtures/migration-fixtures"
import { freshDatabase } from "../../../../../tests/support/db/postgres"
import { openDatabase } from "../database.server"
import { migrate } from "../migrate.server"

test.each([
  ["SQLite", (): string => ":memory:"],
  ["PostgreSQL", (): Promise<string> => freshDatabase(inject("postgres"))],
] as const)(
  "on %s a refund recorded before the migration is kept when its payment is reported again",
  async (_, url) => {
    const db = openDatabase({ url: await url(), timeoutMs: 10_000 })
    await migrate(db, "0013-growth")
    const tables = await db.introspection.getTables()
    const columns = new Map(tables.map(({ name, columns }) => [name, columns.map((it) => it.name)]))
    const write = (table: string, changes: StoredRow = {}) =>
      insertRow(db, columns, table, { ...rowsOfBefore[table], ...changes })
    for (const table of ["clients", "orders"]) await write(table)
    await write("invoices", { received: 2_000, credited: 0 })
    await write("payment_attempts", { status: "refunded", received: 2_000 })
    await write("payment_attempts", { id: "a2", status: "pending", received: 0 })
    await write("payments")
    await write("payments", { id: "p3", amount: -6_400 })

    await migrate(db)
    const { rows } = await sql`
    select id, received, gross, refunded, refund_left from payment_attempts order by id`.execute(db)
    expect(rows).toEqual([
      { id: "a1", received: 2_000, gross: 8_400, refunded: 6_400, refund_left: null },
      { id: "a2", received: 0, gross: 0, refunded: 0, refund_left: null },
    ])
    await db.destroy()

    const gbp = (minor: number) => money(minor, "GBP")
    const invoice = {
      total: gbp(7_900),
      received: gbp(2_000),
      credited: gbp(0),
      surplus: gbp(0),
      refundedToCredit: gbp(0),
      onItsWay: gbp(0),
      paid: true,
      isTopUp: false,
      paidByOperator: false,
    }
    const attempt = {
      status: "refunded",
      balance: { gross: 8_400, refunded: 6_400, left: null },
      amount: gbp(7_900),
    } as const
    const paid = {
      eventKey: "e2",
      attemptId: "a1",
      status: "paid",
      received: gbp(8_400),
      transactionId: null,
    } as const
    expect(settle(invoice, attempt, paid, { payable: true, tolerance: 0 })).toMatchObject({ movement: null })
  },
)
