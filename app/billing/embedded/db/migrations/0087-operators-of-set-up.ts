import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const operatorsOfSetUp: Migration = { up }

/** Which operators were added by the admin CLI while the console was set up. Of earlier ones nobody knows who has added them. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("operators")
    .addColumn("counts_at_once", "integer", (column) => column.notNull().defaultTo(0))
    .execute()
}
