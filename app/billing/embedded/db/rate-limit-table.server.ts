import { CompiledQuery } from "kysely"
import type { RateLimitTable } from "~/billing/rate-limit-table"
import { isShared } from "./engines/postgresql.server"
import type { DbContext } from "./transaction.server"

/** Table of shared rate-limit counters; null for SQLite, which only one instance uses. */
export function rateLimitTable({ db }: DbContext): RateLimitTable | null {
  if (!isShared(db)) return null
  return {
    table: "rate_limits",
    async query({ text, values = [] }) {
      const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [...values]))
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) }
    },
  }
}
