import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const visitors: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("affiliate_clicks")
    .addColumn("affiliate_id", "text", required)
    .addColumn("visitor", "text", required)
    .addColumn("day", "text", required)
    .addColumn("referer", "text")
    .addColumn("at", "bigint", required)
    .addPrimaryKeyConstraint("affiliate_clicks_key", ["affiliate_id", "visitor", "day"])
    .execute()

  await db.schema
    .createTable("blocked_addresses")
    .addColumn("address", "text", id)
    .addColumn("reason", "text")
    .addColumn("at", "bigint", required)
    .execute()
}
