import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const campaigns: Migration = { up }

/** One campaign for one request, also when two operators begin it at once: a second would give the days twice. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("term_campaign_begun")
    .on("term_campaigns")
    .unique()
    .columns(["reason", "days", "active_at"])
    .expression(sql`coalesce(product_id, '')`)
    .where(sql<boolean>`undone_at is null`)
    .execute()
}
