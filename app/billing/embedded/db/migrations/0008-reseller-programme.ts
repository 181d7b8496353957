import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const resellerProgramme: Migration = { up }

/** Who has proven what of himself, and looking up what moved on one account of credits. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("orders")
    .addColumn("proven", "integer", (column) => required(column).defaultTo(0))
    .execute()
  await db.schema.alterTable("clients").addColumn("password_reach", "text").execute()
  // Until now a password came from the operator, or from whoever had followed his link.
  await sql`update clients set password_reach = 'account' where password_hash is not null`.execute(db)
  for (const side of ["from_account", "to_account"]) {
    await db.schema.createIndex(`credit_entries_${side}`).on("credit_entries").columns([side, "at"]).execute()
  }
}
