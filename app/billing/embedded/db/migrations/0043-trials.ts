import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const trials: Migration = { up }

/**
 * Free trials: their length in the catalogue, of an order, and of a service until a paid term follows; and the marks by which each
 * person has one once.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("products").addColumn("trial_hours", "integer").execute()
  await db.schema.alterTable("orders").addColumn("trial_hours", "integer").execute()
  await db.schema.alterTable("services").addColumn("trial_hours", "integer").execute()
  await db.schema
    .createTable("trial_claims")
    .addColumn("mark", "text", required)
    .addColumn("hash", "text", required)
    .addColumn("order_id", "text")
    .addColumn("claimed_at", "bigint", required)
    .addPrimaryKeyConstraint("trial_claims_key", ["mark", "hash"])
    .execute()
  await db.schema.createIndex("trial_claims_by_order").on("trial_claims").column("order_id").execute()
  await db.schema.createIndex("trial_claims_by_time").on("trial_claims").column("claimed_at").execute()
}
