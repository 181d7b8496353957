import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const resellerProgramme: Migration = { up }

/** Access scope of passwords and orders, and indexes to find the ledger entries of a credit account. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("orders")
    .addColumn("proven", "integer", (column) => required(column).defaultTo(0))
    .execute()
  await db.schema.alterTable("clients").addColumn("password_reach", "text").execute()
  // Earlier passwords were set by the operator or after a sign-in link, so they have the account scope.
  await sql`update clients set password_reach = 'account' where password_hash is not null`.execute(db)
  for (const side of ["from_account", "to_account"]) {
    await db.schema.createIndex(`credit_entries_${side}`).on("credit_entries").columns([side, "at"]).execute()
  }
}
