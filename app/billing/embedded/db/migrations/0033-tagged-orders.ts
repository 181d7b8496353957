import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const taggedOrders: Migration = { up }

/** Tags have the time of their order, so that the orders of a tag are read from an index, newest first. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("order_tags")
    .addColumn("placed_at", "bigint", (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update order_tags set placed_at =
    (select placed_at from orders where orders.id = order_tags.order_id)`.execute(db)
  await db.schema
    .createIndex("order_tags_by_tag")
    .on("order_tags")
    .columns(["tag", "placed_at", "order_id"])
    .execute()
}
