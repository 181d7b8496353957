import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const customersSide: Migration = { up }

/** Columns and tables for sign-in, fraud checks, upsells, devices and return links. */
async function up(db: Kysely<unknown>): Promise<void> {
  await orders(db)
  await services(db)
  await db.schema.alterTable("payment_attempts").addColumn("resumed_at", "bigint").execute()
  await db.schema.alterTable("clients").addColumn("country", "text").execute()
  await blocks(db)
}

async function orders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("orders")
    .addColumn("kind", "text", (column) => required(column).defaultTo("plan"))
    .execute()
  await db.schema.alterTable("orders").addColumn("service_id", "text").execute()
  await db.schema.alterTable("orders").addColumn("affiliate_id", "text").execute()
  await db.schema.alterTable("order_lines").addColumn("quantity", "integer").execute()
  await sql`update orders set service_id = (select id from services where order_id = orders.id)`.execute(db)
  await db.schema.createIndex("orders_of_address").on("orders").columns(["address", "placed_at"]).execute()
}

async function services(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("services")
    .addColumn("kind", "text", (column) => required(column).defaultTo("plan"))
    .execute()
  await db.schema.alterTable("services").addColumn("cycle", "text").execute()
  await db.schema.alterTable("services").addColumn("currency", "text").execute()
  await db.schema.alterTable("services").addColumn("device_address", "text").execute()
  await db.schema
    .alterTable("services")
    .addColumn("notes", "text", (column) => required(column).defaultTo(""))
    .execute()
  await sql`
    update services set currency = (select currency from invoices where invoices.order_id = services.order_id)
  `.execute(db)
}

async function blocks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("blocks")
    .addColumn("kind", "text", required)
    .addColumn("value", "text", required)
    .addColumn("reason", "text")
    .addColumn("at", "bigint", required)
    .addPrimaryKeyConstraint("blocks_key", ["kind", "value"])
    .execute()
  await db.schema.dropTable("blocked_addresses").execute()
}
