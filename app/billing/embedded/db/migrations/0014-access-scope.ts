import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const accessScope: Migration = { up }

/**
 * Access scope and password id of orders. For older orders they are unknown: null, which no sign-up password covers.
 * And sign-ups whose outcome in external billing is unknown.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("clients").addColumn("password_id", "text").execute()
  await db.schema.alterTable("orders").addColumn("access_scope", "text").execute()
  await db.schema.alterTable("orders").addColumn("password_id", "text").execute()
  await db.schema
    .createTable("unresolved_sign_ups")
    .addColumn("id", "text", id)
    .addColumn("email_hash", "text", required)
    .addColumn("at", "bigint", required)
    .execute()
  await db.schema
    .createIndex("unresolved_sign_ups_by_email")
    .on("unresolved_sign_ups")
    .column("email_hash")
    .execute()
}
