import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const priceMoves: Migration = { up }

/** Announcements of another renewal price to all services of a plan, and how far each has come. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("price_moves")
    .addColumn("id", "text", (column) => column.notNull().primaryKey())
    .addColumn("product_id", "text", required)
    .addColumn("cycle", "text", required)
    .addColumn("currency", "text", required)
    .addColumn("price", "bigint", required)
    .addColumn("starts_at", "bigint", required)
    .addColumn("reason", "text", required)
    .addColumn("operator_id", "text")
    .addColumn("operator", "text", required)
    .addColumn("at", "bigint", required)
    .addColumn("place", "text", required)
    .addColumn("services", "bigint", required)
    .addColumn("unpriced", "bigint", required)
    .addColumn("ended_at", "bigint")
    .addColumn("problem", "text")
    .execute()
  await db.schema
    .createIndex("price_moves_of_product")
    .on("price_moves")
    .columns(["product_id", "at"])
    .execute()
}
