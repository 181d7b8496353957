import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const uncountedOrders: Migration = { up }

/** Orders whose steps are not counted, because no person on our pages has taken them. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("is_uncounted", "integer").execute()
}
