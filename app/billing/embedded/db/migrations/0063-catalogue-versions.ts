import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const catalogueVersions: Migration = { up }

/** Every state of the products, with who has made it and why; plans that new buyers are not offered. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("catalogue_versions")
    .addColumn("number", "integer", (column) => column.notNull().primaryKey())
    .addColumn("at", "bigint", required)
    .addColumn("author", "text")
    .addColumn("reason", "text")
    .addColumn("how", "text", required)
    .addColumn("taken_from", "integer")
    .addColumn("content", "text", required)
    .execute()
  await db.schema.alterTable("products").addColumn("is_hidden", "integer").execute()
}
