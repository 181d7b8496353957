import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const accounting: Migration = { up }

/**
 * The tax in an order's invoice at the external billing system: JSON, null where it has stated none, and for older orders. Account
 * credit is read by its time, as payments are.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("external_tax", "text").execute()
  await db.schema.createIndex("credit_by_time").on("credit_movements").column("at").execute()
}
