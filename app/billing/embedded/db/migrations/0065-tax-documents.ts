import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const taxDocuments: Migration = { up }

/** Invoices and credit notes as they were issued, and the last number of each kind and year. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("document_numbers")
    .addColumn("kind", "text", required)
    .addColumn("year", "integer", required)
    .addColumn("last", "integer", required)
    .addPrimaryKeyConstraint("document_numbers_key", ["kind", "year"])
    .execute()
  await db.schema
    .createTable("tax_documents")
    .addColumn("number", "text", id)
    .addColumn("kind", "text", required)
    .addColumn("year", "integer", required)
    .addColumn("sequence", "integer", required)
    .addColumn("order_id", "text", (column) => column.notNull().references("orders.id"))
    .addColumn("position", "integer", required)
    .addColumn("issued_at", "bigint", required)
    .addColumn("issued_on", "text", required)
    .addColumn("currency", "text", required)
    .addColumn("country", "text", required)
    .addColumn("net", "bigint", required)
    .addColumn("tax", "bigint", required)
    .addColumn("gross", "bigint", required)
    .addColumn("corrects", "text")
    .addColumn("content", "text", required)
    .execute()
  await db.schema
    .createIndex("tax_documents_by_sequence")
    .unique()
    .on("tax_documents")
    .columns(["kind", "year", "sequence"])
    .execute()
  await db.schema
    .createIndex("tax_documents_by_order")
    .unique()
    .on("tax_documents")
    .columns(["order_id", "position"])
    .execute()
  await db.schema
    .createIndex("tax_documents_by_day")
    .on("tax_documents")
    .columns(["issued_on", "number"])
    .execute()
}
