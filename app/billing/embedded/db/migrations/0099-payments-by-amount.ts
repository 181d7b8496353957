import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const paymentsByAmount: Migration = { up }

/**
 * Orders are found by the amount of a payment, too. Most payments are of the order's total, by which it is found already: only the others
 * are in the index, in the order in which orders are listed.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("payments").addColumn("part_placed_at", "bigint").execute()
  await sql`update payments set part_placed_at =
    (select created_at from invoices where invoices.id = payments.invoice_id and invoices.total <> payments.amount)`.execute(
    db,
  )
  await db.schema
    .createIndex("payments_by_amount")
    .on("payments")
    .columns(["amount", "part_placed_at"])
    .where(sql.ref("part_placed_at"), "is not", null)
    .execute()
}
