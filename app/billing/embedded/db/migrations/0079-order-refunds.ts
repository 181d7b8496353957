import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const orderRefunds: Migration = { up }

/** Refunds of what no gateway has received: account credit that has paid an order, and money that the operator got elsewhere. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("order_refunds")
    .addColumn("id", "text", id)
    .addColumn("order_id", "text", refersTo("orders.id"))
    .addColumn("target", "text", required)
    .addColumn("amount", "bigint", required)
    .addColumn("outside", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("reason", "text", required)
    .addColumn("at", "bigint", required)
    .execute()
  await db.schema
    .createIndex("order_refunds_by_order")
    .on("order_refunds")
    .columns(["order_id", "at"])
    .execute()
}
