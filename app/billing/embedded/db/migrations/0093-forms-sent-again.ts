import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const formsSentAgain: Migration = { up }

/**
 * What is known of a form of the console that is sent again: whether the same was typed in it, and whether it has made the last version. Null
 * for those of before.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("audit_log").addColumn("form_typed", "text").execute()
  for (const table of ["catalogue_versions", "tax_versions", "brand_versions"])
    await db.schema.alterTable(table).addColumn("form_key", "text").execute()
}
