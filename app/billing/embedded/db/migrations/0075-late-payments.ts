import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const latePayments: Migration = { up }

/** The payments that have ended unpaid and are polled in case they are paid late, in an index of their own: they are many. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("ended_attempts_to_poll")
    .on("payment_attempts")
    .columns(["gateway", "poll_after"])
    .where(sql<boolean>`status in ('failed', 'expired') and url is not null`)
    .execute()
}
