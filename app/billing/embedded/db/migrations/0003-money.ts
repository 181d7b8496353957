import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const money: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await attempts(db)
  await ledger(db)
}

async function attempts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("payment_attempts")
    .addColumn("id", "text", id)
    .addColumn("order_id", "text", refersTo("orders.id"))
    .addColumn("gateway", "text", required)
    .addColumn("slot", "text")
    .addColumn("amount", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("status", "text", required)
    .addColumn("received", "bigint", required)
    .addColumn("payment_id", "text")
    .addColumn("url", "text")
    .addColumn("opened_at", "bigint", required)
    .addColumn("asked_at", "bigint", required)
    .execute()
  // Partial, because PostgreSQL takes FOR UPDATE instead of FOR NO KEY UPDATE when a column of a full unique index
  // changes. Two payment updates of one attempt, whose events reference it, would then deadlock.
  await db.schema
    .createIndex("attempts_once")
    .on("payment_attempts")
    .column("slot")
    .unique()
    .where(sql.ref("slot"), "is not", null)
    .execute()
  await db.schema
    .createIndex("attempts_of_order")
    .on("payment_attempts")
    .columns(["order_id", "opened_at"])
    .execute()
  await db.schema
    .createIndex("attempts_to_ask")
    .on("payment_attempts")
    .columns(["status", "asked_at"])
    .execute()

  await db.schema
    .createTable("gateway_events")
    .addColumn("gateway", "text", required)
    .addColumn("event_key", "text", required)
    .addColumn("attempt_id", "text", refersTo("payment_attempts.id"))
    .addColumn("status", "text", required)
    .addColumn("amount", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("transaction_id", "text")
    .addColumn("at", "bigint", required)
    .addPrimaryKeyConstraint("gateway_events_key", ["gateway", "event_key"])
    .execute()
  await db.schema.createIndex("events_of_attempt").on("gateway_events").column("attempt_id").execute()
}

async function ledger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("payments")
    .addColumn("id", "text", id)
    .addColumn("account", "text", required)
    .addColumn("invoice_id", "text", refersTo("invoices.id"))
    .addColumn("client_id", "text", refersTo("clients.id"))
    .addColumn("attempt_id", "text", refersTo("payment_attempts.id"))
    .addColumn("gateway", "text", required)
    .addColumn("amount", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("transaction_id", "text")
    .addColumn("booked_at", "bigint", required)
    .execute()
  await db.schema.createIndex("payments_of_invoice").on("payments").column("invoice_id").execute()
  await db.schema.createIndex("payments_of_client").on("payments").column("client_id").execute()

  await db.schema
    .createTable("credits")
    .addColumn("client_id", "text", refersTo("clients.id"))
    .addColumn("currency", "text", required)
    .addColumn("balance", "bigint", required)
    .addPrimaryKeyConstraint("credits_key", ["client_id", "currency"])
    .execute()
}
