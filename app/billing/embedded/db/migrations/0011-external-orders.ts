import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { refersTo, required } from "./columns"

export const externalOrders: Migration = { up }

/** State of orders in external billing, and the local ids of services renamed by it. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("orders_there")
    .addColumn("order_id", "text", (column) => refersTo("orders.id")(column).primaryKey())
    .addColumn("state", "text", required)
    .addColumn("their_order_id", "text")
    .addColumn("their_invoice_id", "text")
    .addColumn("link", "text")
    .addColumn("tries", "integer", required)
    .addColumn("claimed_until", "bigint", required)
    .addColumn("ask_at", "bigint", required)
    .execute()
  await db.schema.createIndex("orders_there_to_ask").on("orders_there").columns(["state", "ask_at"]).execute()
  await db.schema.alterTable("services").addColumn("former_id", "text").execute()
  await db.schema.createIndex("services_by_former_id").on("services").column("former_id").execute()
}
