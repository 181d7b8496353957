import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const orders: Migration = { up }

async function up(db: Kysely<unknown>): Promise<void> {
  await clients(db)
  await orderTables(db)
  await invoices(db)
  await services(db)
}

async function clients(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("clients")
    .addColumn("id", "text", id)
    .addColumn("email_key", "text", (column) => required(column).unique())
    .addColumn("email", "text", required)
    .addColumn("password_hash", "text")
    .addColumn("locale", "text", required)
    .addColumn("currency", "text", required)
    .addColumn("address", "text")
    .addColumn("created_at", "bigint", required)
    .execute()
}

async function orderTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("orders")
    .addColumn("id", "text", id)
    .addColumn("one_time_key", "text", (column) => required(column).unique())
    .addColumn("client_id", "text", refersTo("clients.id"))
    .addColumn("status", "text", required)
    .addColumn("promo_key", "text")
    .addColumn("gateway", "text", required)
    .addColumn("locale", "text", required)
    .addColumn("address", "text")
    .addColumn("placed_at", "bigint", required)
    .addColumn("deadline", "bigint", required)
    .execute()
  await db.schema.createIndex("orders_overdue").on("orders").columns(["status", "deadline"]).execute()
  await db.schema.createIndex("orders_of_client").on("orders").column("client_id").execute()
  await db.schema.createIndex("orders_in_status").on("orders").columns(["status", "placed_at"]).execute()
  await db.schema.createIndex("orders_by_age").on("orders").column("placed_at").execute()

  await db.schema
    .createTable("order_lines")
    .addColumn("order_id", "text", refersTo("orders.id"))
    .addColumn("position", "integer", required)
    .addColumn("kind", "text", required)
    .addColumn("product_id", "text")
    .addColumn("option_id", "text")
    .addColumn("choice_id", "text")
    .addColumn("code", "text")
    .addColumn("name", "text")
    .addColumn("amount", "bigint", required)
    .addColumn("currency", "text", required)
    .addPrimaryKeyConstraint("order_lines_key", ["order_id", "position"])
    .execute()

  await db.schema
    .createTable("order_events")
    .addColumn("order_id", "text", refersTo("orders.id"))
    .addColumn("position", "integer", required)
    .addColumn("kind", "text", required)
    .addColumn("at", "bigint", required)
    .addColumn("amount", "bigint")
    .addColumn("currency", "text")
    .addColumn("reference", "text")
    .addPrimaryKeyConstraint("order_events_key", ["order_id", "position"])
    .execute()
}

async function invoices(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("invoices")
    .addColumn("id", "text", id)
    .addColumn("order_id", "text", (column) => refersTo("orders.id")(column).unique())
    .addColumn("client_id", "text", refersTo("clients.id"))
    .addColumn("status", "text", required)
    .addColumn("total", "bigint", required)
    .addColumn("received", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("paid_at", "bigint")
    .execute()
  await db.schema.createIndex("invoices_of_client").on("invoices").column("client_id").execute()
}

async function services(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("services")
    .addColumn("id", "text", id)
    .addColumn("order_id", "text", (column) => refersTo("orders.id")(column).unique())
    .addColumn("client_id", "text", refersTo("clients.id"))
    .addColumn("product_id", "text", required)
    .addColumn("name", "text", required)
    .addColumn("status", "text", required)
    .addColumn("username", "text", required)
    .addColumn("password", "text", required)
    .addColumn("host", "text")
    .addColumn("connections", "integer", required)
    .addColumn("proxy_protection", "integer", required)
    .addColumn("created_at", "bigint", required)
    .execute()
  await db.schema.createIndex("services_of_client").on("services").column("client_id").execute()
}
