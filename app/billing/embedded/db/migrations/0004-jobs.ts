import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const jobs: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("outbox")
    .addColumn("id", "text", id)
    .addColumn("topic", "text", required)
    .addColumn("subject", "text", required)
    .addColumn("state", "text", required)
    .addColumn("due", "bigint", required)
    .addColumn("tries", "integer", required)
    .addColumn("reason", "text")
    .addUniqueConstraint("outbox_once", ["topic", "subject"])
    .execute()
  await db.schema.createIndex("outbox_due").on("outbox").columns(["state", "due"]).execute()

  await db.schema
    .createTable("leases")
    .addColumn("name", "text", id)
    .addColumn("holder", "text", required)
    .addColumn("until", "bigint", required)
    .execute()
}
