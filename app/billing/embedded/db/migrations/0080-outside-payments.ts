import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const outsidePayments: Migration = { up }

/**
 * Money that the operator has received and paid back outside the gateways. Orders that were marked as paid before have no entry: what is
 * reported of those days stays as it was handed out.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("outside_payments")
    .addColumn("id", "text", id)
    .addColumn("invoice_id", "text", refersTo("invoices.id"))
    .addColumn("amount", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("booked_at", "bigint", required)
    .execute()
  await db.schema
    .createIndex("outside_payments_of_invoice")
    .on("outside_payments")
    .column("invoice_id")
    .execute()
  await db.schema.createIndex("outside_payments_by_time").on("outside_payments").column("booked_at").execute()
}
