import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const orderTax: Migration = { up }

/** The tax of an order as it was placed: JSON, null for older orders and where the shop taxes nothing. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("tax", "text").execute()
}
