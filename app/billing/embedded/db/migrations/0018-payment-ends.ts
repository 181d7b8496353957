import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const paymentEnds: Migration = { up }

/**
 * When a provider takes no more money for a payment, as far as it has said so: nobody is led to a payment that has
 * ended. Of attempts from before that is not known, and they are asked about as ever.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("payment_attempts").addColumn("ends_at", "bigint").execute()
}
