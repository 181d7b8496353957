import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const gatewayRefunds: Migration = { up }

/** Refunds that a gateway pays, and the account credit that refunds have made negative. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("gateway_refunds")
    .addColumn("id", "text", id)
    .addColumn("order_id", "text", refersTo("orders.id"))
    .addColumn("attempt_id", "text", refersTo("payment_attempts.id"))
    .addColumn("gateway", "text", required)
    .addColumn("payment_id", "text", required)
    .addColumn("amount", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("refunded_before", "bigint", required)
    .addColumn("address", "text")
    .addColumn("reason", "text", required)
    .addColumn("ends_service", "bigint", required)
    .addColumn("at", "bigint", required)
    .addColumn("state", "text", required)
    .addColumn("claim_url", "text")
    .addColumn("detail", "text")
    .addColumn("settled_at", "bigint")
    .execute()
  await db.schema
    .createIndex("gateway_refunds_by_order")
    .on("gateway_refunds")
    .columns(["order_id", "at"])
    .execute()
  // One refund of a payment at a time: what it adds to the refunded total is then known.
  await db.schema
    .createIndex("gateway_refunds_waiting")
    .on("gateway_refunds")
    .column("attempt_id")
    .unique()
    .where(sql.ref("state"), "=", "waiting")
    .execute()
  await db.schema
    .createIndex("gateway_refunds_refused")
    .on("gateway_refunds")
    .column("settled_at")
    .where(sql.ref("state"), "=", "refused")
    .execute()
  await db.schema
    .createIndex("credits_negative")
    .on("credits")
    .column("client_id")
    .where(sql.ref("balance"), "<", sql.lit(0))
    .execute()
}
