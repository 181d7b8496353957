import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const emailChanges: Migration = { up }

/** Changes of e-mail by customers: proven at the new address, and undone from the former one. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("email_changes")
    .addColumn("id", "text", id)
    .addColumn("client_id", "text", refersTo("clients.id"))
    .addColumn("former_email", "text", required)
    .addColumn("new_email", "text", required)
    .addColumn("new_key", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("tries", "integer", required)
    .addColumn("confirmed_at", "bigint")
    .addColumn("reverted_at", "bigint")
    .addColumn("ended_at", "bigint")
    .execute()
  await db.schema.createIndex("email_changes_by_client").on("email_changes").column("client_id").execute()
  await db.schema.createIndex("email_changes_by_email").on("email_changes").column("new_key").execute()
  await db.schema.createIndex("email_changes_by_time").on("email_changes").column("created_at").execute()
}
