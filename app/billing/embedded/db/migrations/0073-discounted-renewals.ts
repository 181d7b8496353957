import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const discountedRenewals: Migration = { up }

/** How many terms of a renewal are at a price with a limited discount. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("renewal_items").addColumn("discounted_terms", "integer").execute()
}
