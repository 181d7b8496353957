import { sql } from "kysely"
import { expect, inject, test } from "vitest"
import { insertRow, rowsOfBefore, type StoredRow } from "../../../../../tests/fixtures/migration-fixtures"
import { freshDatabase } from "../../../../../tests/support/db/postgres"
import { openDatabase } from "../database.server"
import { migrate } from "../migrate.server"

test.each([
  ["SQLite", (): string => ":memory:"],
  ["PostgreSQL", (): Promise<string> => freshDatabase(inject("postgres"))],
] as const)(
  "on %s the reports of earlier versions become one payment each, and none without money",
  async (_, url) => {
    const db = openDatabase({ url: await url(), timeoutMs: 10_000 })
    await migrate(db, "0035-bulk-runs")
    const report = (changes: StoredRow) =>
      insertRow(
        db,
        new Map([["unapplied_reports", Object.keys(rowsOfBefore.unapplied_reports ?? {})]]),
        "unapplied_reports",
        {
          ...rowsOfBefore.unapplied_reports,
          ...changes,
        },
      )
    await report({ event_key: "1", attempt_id: "a", detail: "pending 0.00 EUR for attempt a", count: 1 })
    await report({
      event_key: "2",
      attempt_id: "a",
      detail: "paid 20.00 EUR for attempt a",
      count: 2,
      first_at: 4,
    })
    await report({ event_key: "3", attempt_id: "b", detail: "expired 0.00 EUR for attempt b" })
    await report({
      event_key: "4",
      attempt_id: "c",
      detail: "paid 9.50 USD less 2.00 USD for attempt c",
      first_at: 5,
    })
    await report({ event_key: "5", attempt_id: "d", detail: "refunded 7.00 EUR for attempt d", first_at: 6 })
    await report({ event_key: "6", attempt_id: null, detail: "no JSON", first_at: 7 })
    await migrate(db)
    const { rows } = await sql`
      select payment_key, gross, refunded, currency, count, state from unmatched_payments order by id`.execute(
      db,
    )
    expect(rows).toEqual([
      { payment_key: "a", gross: 20_00, refunded: 0, currency: "EUR", count: 3, state: "open" },
      { payment_key: "c", gross: 9_50, refunded: 2_00, currency: "USD", count: 2, state: "open" },
      { payment_key: "d", gross: 7_00, refunded: 7_00, currency: "EUR", count: 2, state: "returned" },
      { payment_key: "6", gross: 0, refunded: 0, currency: null, count: 2, state: "open" },
    ])
    await db.destroy()
  },
)
