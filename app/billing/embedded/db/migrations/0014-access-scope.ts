import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const accessScope: Migration = { up }

/**
 * What whoever placed an order had proven, and under which password. Orders of before cannot be told apart: they stay
 * without, which is in no password's scope. And the sign-ups whose outcome an external billing system never told.
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
