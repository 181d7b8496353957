import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const taxVersions: Migration = { up }

/** Every state of the rules of tax, with who has made it and why. Without a content the shop file's are in force. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("tax_versions")
    .addColumn("number", "integer", (column) => column.notNull().primaryKey())
    .addColumn("at", "bigint", required)
    .addColumn("author", "text")
    .addColumn("reason", "text")
    .addColumn("how", "text", required)
    .addColumn("taken_from", "integer")
    .addColumn("content", "text")
    .execute()
}
