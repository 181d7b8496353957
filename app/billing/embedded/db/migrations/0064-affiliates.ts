import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const affiliates: Migration = { up }

/** Orders of affiliates by time, of which there are few, and their clicks by day. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("orders_by_affiliate")
    .on("orders")
    .columns(["affiliate_id", "placed_at", "id"])
    .where("affiliate_id", "is not", null)
    .execute()
  await db.schema
    .createIndex("affiliate_clicks_by_day")
    .on("affiliate_clicks")
    .columns(["affiliate_id", "day"])
    .execute()
}
