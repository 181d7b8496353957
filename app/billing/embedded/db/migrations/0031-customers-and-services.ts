import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { isShared } from "../engines/postgresql.server"
import { id, refersTo, required } from "./columns"

export const customersAndServices: Migration = { up }

/** Indexes by which operators list customers and services, and account credit that no invoice has brought. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex("clients_by_age").on("clients").columns(["created_at", "id"]).execute()
  await db.schema.createIndex("services_by_age").on("services").columns(["created_at", "id"]).execute()
  await db.schema
    .createIndex("services_in_status")
    .on("services")
    .columns(["status", "created_at", "id"])
    .execute()
  await (isShared(db) ? allowGrants(db) : replaceMovements(db))
  await db.schema
    .createIndex("credit_granted_once")
    .on("credit_movements")
    .column("grant_key")
    .unique()
    .where(sql.ref("grant_key"), "is not", null)
    .execute()
}

async function allowGrants(db: Kysely<unknown>): Promise<void> {
  await sql`alter table credit_movements alter column invoice_id drop not null`.execute(db)
  for (const name of ["reason", "grant_key"])
    await db.schema.alterTable("credit_movements").addColumn(name, "text").execute()
}

/** SQLite cannot take NOT NULL off a column. No table refers to this one. */
async function replaceMovements(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("credit_movements_new")
    .addColumn("id", "text", id)
    .addColumn("client_id", "text", refersTo("clients.id"))
    .addColumn("invoice_id", "text", (column) => column.references("invoices.id"))
    .addColumn("cause", "text", required)
    .addColumn("amount", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("at", "bigint", required)
    .addColumn("source_invoice_id", "text")
    .addColumn("reason", "text")
    .addColumn("grant_key", "text")
    .execute()
  await sql`insert into credit_movements_new
    (id, client_id, invoice_id, cause, amount, currency, at, source_invoice_id)
    select id, client_id, invoice_id, cause, amount, currency, at, source_invoice_id from credit_movements`.execute(
    db,
  )
  await db.schema.dropTable("credit_movements").execute()
  await db.schema.alterTable("credit_movements_new").renameTo("credit_movements").execute()
  const index = (name: string, column: string) =>
    db.schema.createIndex(name).on("credit_movements").column(column)
  await index("credit_of_invoice", "invoice_id").execute()
  await index("credit_of_client", "client_id").execute()
  await index("credit_by_source", "source_invoice_id")
    .where(sql.ref("source_invoice_id"), "is not", null)
    .execute()
}
