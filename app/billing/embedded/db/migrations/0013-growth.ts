import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const growth: Migration = { up }

/**
 * What is looked for again and again is found among few, however many there have been: orders that wait for money,
 * payments that a gateway is to be asked about, money that has paid nothing. And where a long look went on.
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
  // Most services have no former name, and an index of nothing but that is one that SQLite does not trust.
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
