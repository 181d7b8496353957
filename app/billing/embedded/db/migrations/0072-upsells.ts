import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const upsells: Migration = { up }

/** What the service of extra connections was when they were ordered. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("upsells")
    .addColumn("order_id", "text", (column) => id(column).references("orders.id"))
    .addColumn("product_id", "text", required)
    .addColumn("cycle", "text")
    .addColumn("term_anchor", "bigint")
    .addColumn("applied_at", "bigint")
    .execute()
}
