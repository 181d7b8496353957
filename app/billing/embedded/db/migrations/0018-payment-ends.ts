import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const paymentEnds: Migration = { up }

/**
 * Expiry of a payment at its provider, as reported, so that buyers are not sent to an expired payment. Unknown (null)
 * for older attempts, which are polled as before.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("payment_attempts").addColumn("ends_at", "bigint").execute()
}
