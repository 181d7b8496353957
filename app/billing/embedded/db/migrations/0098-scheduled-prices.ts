import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const scheduledPrices: Migration = { up }

/** Prices that new orders of a product have from an instant on; those of an option are with its choices. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("products").addColumn("scheduled_prices", "text").execute()
}
