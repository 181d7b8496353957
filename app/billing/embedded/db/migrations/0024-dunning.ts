import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const dunning: Migration = { up }

/** When a message was first tried, outages, and stops of dunning. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("mails").addColumn("tried_at", "bigint").execute()
  await db.schema
    .createTable("outages")
    .addColumn("part", "text", required)
    .addColumn("since", "bigint", required)
    .addColumn("until", "bigint", required)
    .addPrimaryKeyConstraint("outages_key", ["part", "since"])
    .execute()
  await db.schema
    .createTable("dunning_brakes")
    .addColumn("id", "text", id)
    .addColumn("reason", "text", required)
    .addColumn("detail", "text", required)
    .addColumn("at", "bigint", required)
    .addColumn("released_at", "bigint")
    .addColumn("release_reason", "text")
    .execute()
  // A second brake that is on is a mistake: there is one brake.
  await db.schema
    .createIndex("dunning_brake_on")
    .on("dunning_brakes")
    .unique()
    .expression(sql`(released_at is null)`)
    .where(sql<boolean>`released_at is null`)
    .execute()
}
