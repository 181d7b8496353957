import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const orderedCredits: Migration = { up }

/** The credits of a reseller plan as it was ordered: a later edit of the catalogue does not change what is granted. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("credits", "integer").execute()
}
