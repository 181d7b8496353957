import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const skippedNumbers: Migration = { up }

/** Numbers of invoices and credit notes that were handed out after the backup that was restored: the shop has no documents of them. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("document_numbers")
    .addColumn("skipped", "bigint", (column) => column.notNull().defaultTo(0))
    .execute()
}
