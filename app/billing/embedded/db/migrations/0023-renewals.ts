import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const renewals: Migration = { up }

/** A price that the operator has announced for a service, and the end that a paid renewal has led to. */
async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ["announced_price", "announced_from"])
    await db.schema.alterTable("services").addColumn(name, "bigint").execute()
  await db.schema.alterTable("renewal_items").addColumn("paid_until", "bigint").execute()
}
