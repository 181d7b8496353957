import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { isShared } from "../engines/postgresql.server"
import { id, refersTo, required } from "./columns"

export const orderSearch: Migration = { up }

/** Indexes by which operators find orders, and what they note on them. */
async function up(db: Kysely<unknown>): Promise<void> {
  await indexOrders(db)
  await indexPrefixes(db)
  await db.schema
    .createTable("order_notes")
    .addColumn("id", "text", id)
    .addColumn("order_id", "text", refersTo("orders.id"))
    .addColumn("at", "bigint", required)
    .addColumn("operator", "text", required)
    .addColumn("text", "text", required)
    .execute()
  await db.schema.createIndex("order_notes_by_order").on("order_notes").columns(["order_id", "at"]).execute()
  await db.schema
    .createTable("order_tags")
    .addColumn("order_id", "text", refersTo("orders.id"))
    .addColumn("tag", "text", required)
    .addColumn("at", "bigint", required)
    .addColumn("operator", "text", required)
    .addPrimaryKeyConstraint("order_tags_pkey", ["order_id", "tag"])
    .execute()
}

/** Each list of orders is read from an index in the order of its time. */
async function indexOrders(db: Kysely<unknown>): Promise<void> {
  const orders = (name: string, column: string) =>
    db.schema.createIndex(name).on("orders").columns([column, "placed_at"])
  await orders("orders_by_gateway", "gateway").execute()
  await orders("orders_by_promotion", "promo_key").where(sql.ref("promo_key"), "is not", null).execute()
  await db.schema.createIndex("invoices_by_total").on("invoices").columns(["total", "created_at"]).execute()
  await db.schema
    .createIndex("attempts_by_payment")
    .on("payment_attempts")
    .column("payment_id")
    .where(sql.ref("payment_id"), "is not", null)
    .execute()
  await db.schema
    .createIndex("payments_by_transaction")
    .on("payments")
    .column("transaction_id")
    .where(sql.ref("transaction_id"), "is not", null)
    .execute()
}

/** PostgreSQL finds beginnings of texts only by an index in the order of their bytes, which is always that of SQLite. */
async function indexPrefixes(db: Kysely<unknown>): Promise<void> {
  if (!isShared(db)) {
    await db.schema.createIndex("services_by_username").on("services").column("username").execute()
    return
  }
  await sql`create index services_by_username on services (username collate "C")`.execute(db)
  await sql`create index clients_by_email_prefix on clients (email_key collate "C")`.execute(db)
}
