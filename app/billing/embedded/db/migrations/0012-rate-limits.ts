import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const rateLimits: Migration = { up }

/**
 * What may be tried so many times, counted for all instances together. The columns, their order and their names are
 * those that `rate-limiter-flexible` expects. Books in a file leave it empty.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("rate_limits")
    .addColumn("key", "varchar(255)", id)
    .addColumn("points", "integer", (column) => required(column).defaultTo(0))
    .addColumn("expire", "bigint")
    .execute()
}
