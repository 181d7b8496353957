import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const businesses: Migration = { up }

/**
 * Customers that buy for a business, the prices with the tax that was taken off for it, and orders of a business whose number was
 * confirmed after the sale.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("clients").addColumn("business", "text").execute()
  await db.schema.alterTable("orders").addColumn("tax_corrected_at", "bigint").execute()
  await db.schema
    .createIndex("orders_with_corrected_tax")
    .on("orders")
    .column("tax_corrected_at")
    .where(sql.ref("tax_corrected_at"), "is not", null)
    .execute()
  await db.schema.alterTable("order_lines").addColumn("listed", "bigint").execute()
}
