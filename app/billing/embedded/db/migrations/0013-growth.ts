import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const growth: Migration = { up }

/**
 * Partial indexes for the sweeps, so that their cost does not grow with the number of old rows: unpaid orders, attempts
 * to poll, and unapplied payments. And the cursors of sweeps that span several runs.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("orders_overdue").execute()
  await db.schema
    .createIndex("orders_overdue")
    .on("orders")
    .column("deadline")
    .where(sql<boolean>`status in ('placed', 'awaiting-payment', 'partially-paid')`)
    .execute()
  await db.schema.dropIndex("attempts_to_ask").execute()
  await db.schema
    .createIndex("attempts_to_ask")
    .on("payment_attempts")
    .columns(["gateway", "ask_at"])
    .where(sql<boolean>`status in ('pending', 'processing', 'partially-paid') and url is not null`)
    .execute()
  await db.schema
    .createIndex("invoices_left_over")
    .on("invoices")
    .column("order_id")
    .where(sql<boolean>`status = 'cancelled' and received > credited`)
    .execute()
  // Partial: most services have no former id, and SQLite does not use an index of mostly equal values.
  await db.schema.dropIndex("services_by_former_id").execute()
  await db.schema
    .createIndex("services_by_former_id")
    .on("services")
    .column("former_id")
    .where(sql.ref("former_id"), "is not", null)
    .execute()
  await db.schema
    .createTable("bookmarks")
    .addColumn("name", "text", id)
    .addColumn("place", "text", required)
    .execute()
}
