import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const law: Migration = { up }

/** What applied to a sale by the buyer's country: JSON, null for older orders and where nothing did. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("sale_terms", "text").execute()
}
