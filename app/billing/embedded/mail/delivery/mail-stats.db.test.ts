import { sql } from "kysely"
import { expect, test } from "vitest"
import { NOON } from "../../../../../tests/contracts/billing/billing-fixtures"
import { openTemporaryDatabase } from "../../../../../tests/fixtures/temporary-database"
import { statementsOf } from "../../../../../tests/support/db/statement-counter"
import { mailStats } from "./mail-stats.server"

test("a day's messages are counted in an index, without a look at each message", async () => {
  const database = await openTemporaryDatabase("SQLite")
  const statements = statementsOf(database.db)
  await mailStats(database, NOON, 0)
  const [counting = ""] = statements.filter((statement) => statement.includes("count(*)"))
  const plan = await sql<{ detail: string }>`explain query plan ${sql.raw(
    counting.replaceAll("?", "0"),
  )}`.execute(database.db)
  expect(plan.rows.map(({ detail }) => detail).join("\n")).toContain("COVERING INDEX mails_by_time")
  await database.close()
})
