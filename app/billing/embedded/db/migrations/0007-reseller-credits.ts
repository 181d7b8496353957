import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const resellerCredits: Migration = { up }

/** Reseller credit ledger: append-only entries, and balances stored for conditional updates. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("credit_entries")
    .addColumn("id", "text", id)
    .addColumn("from_account", "text", required)
    .addColumn("to_account", "text", required)
    .addColumn("amount", "integer", required)
    .addColumn("reference", "text", (column) => required(column).unique())
    .addColumn("reason", "text")
    .addColumn("at", "bigint", required)
    .execute()
  await db.schema
    .createTable("credit_balances")
    .addColumn("account", "text", id)
    .addColumn("balance", "bigint", required)
    .execute()
}
