import type { Kysely } from "kysely"
import { sql } from "kysely"
import type { Migration } from "kysely/migration"

export const heldOrders: Migration = { up }

/** Which invoice had brought the credit that pays another one. Of what was spent before, nobody knows. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("credit_movements").addColumn("source_invoice_id", "text").execute()
  await db.schema
    .createIndex("credit_by_source")
    .on("credit_movements")
    .column("source_invoice_id")
    .where(sql.ref("source_invoice_id"), "is not", null)
    .execute()
}
