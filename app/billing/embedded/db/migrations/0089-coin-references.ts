import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { isShared } from "../engines/postgresql.server"
import { refersTo, required } from "./columns"

export const coinReferences: Migration = { up }

/**
 * Addresses and transactions of payments in coins, by which operators find an order. Providers name them with each later report;
 * transactions that earlier ones have named are in the ledger.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("coin_references")
    .addColumn("attempt_id", "text", refersTo("payment_attempts.id"))
    .addColumn("reference_key", "text", required)
    .addColumn("kind", "text", required)
    .addColumn("value", "text", required)
    .addColumn("at", "bigint", required)
    .addPrimaryKeyConstraint("coin_references_pkey", ["attempt_id", "reference_key"])
    .execute()
  const bytes = isShared(db) ? sql` collate "C"` : sql``
  await sql`create index coin_references_by_key on coin_references (reference_key${bytes})`.execute(db)
}
