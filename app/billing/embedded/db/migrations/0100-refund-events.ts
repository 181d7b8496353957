import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const refundEvents: Migration = { up }

/** Refunds on the timelines of orders, by time: few events are one, and the console looks for those that gateways have reported by themselves. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("refund_events")
    .on("order_events")
    .columns(["at"])
    .where(sql<boolean>`kind = 'refunded'`)
    .execute()
}
