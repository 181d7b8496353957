import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const externalCustomers: Migration = { up }

/** What tells a customer of external billing from another one who gets the same id there after a restore; null for those of before. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("clients").addColumn("external_key", "text").execute()
}
