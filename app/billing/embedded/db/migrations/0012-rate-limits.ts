import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const rateLimits: Migration = { up }

/**
 * Rate-limit counters shared by all instances. `rate-limiter-flexible` prescribes names and order of the columns.
 * Unused on SQLite.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("rate_limits")
    .addColumn("key", "varchar(255)", id)
    .addColumn("points", "integer", (column) => required(column).defaultTo(0))
    .addColumn("expire", "bigint")
    .execute()
}
