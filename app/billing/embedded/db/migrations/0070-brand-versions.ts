import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const brandVersions: Migration = { up }

/** What the console has set in place of the shop file's texts and brand, with who has made it and why; and drafts of it. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("brand_versions")
    .addColumn("number", "integer", (column) => column.notNull().primaryKey())
    .addColumn("at", "bigint", required)
    .addColumn("author", "text", required)
    .addColumn("reason", "text")
    .addColumn("how", "text", required)
    .addColumn("taken_from", "integer")
    .addColumn("content", "text", required)
    .execute()
  await db.schema
    .createTable("brand_drafts")
    .addColumn("id", "text", (column) => column.notNull().primaryKey())
    .addColumn("at", "bigint", required)
    .addColumn("content", "text", required)
    .execute()
}
