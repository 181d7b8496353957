import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const settlement: Migration = { up }

/** Account credit ledger, and the poll schedule of payment attempts. */
async function up(db: Kysely<unknown>): Promise<void> {
  await customerCredit(db)
  await db.schema
    .alterTable("invoices")
    .addColumn("credited", "bigint", (column) => required(column).defaultTo(0))
    .execute()
  await sql`
    update invoices set credited =
      coalesce((select sum(amount) from credit_movements where invoice_id = invoices.id), 0)
  `.execute(db)
  await asking(db)
}

/** Moves surplus, so far the only account credit, from the payments to its own ledger. */
async function customerCredit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("credit_movements")
    .addColumn("id", "text", id)
    .addColumn("client_id", "text", refersTo("clients.id"))
    .addColumn("invoice_id", "text", refersTo("invoices.id"))
    .addColumn("cause", "text", required)
    .addColumn("amount", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("at", "bigint", required)
    .execute()
  await db.schema.createIndex("credit_of_invoice").on("credit_movements").column("invoice_id").execute()
  await db.schema.createIndex("credit_of_client").on("credit_movements").column("client_id").execute()
  await sql`
    insert into credit_movements (id, client_id, invoice_id, cause, amount, currency, at)
    select id, client_id, invoice_id, 'surplus', amount, currency, booked_at from payments where account = 'credit'
  `.execute(db)
  await sql`delete from payments where account = 'credit'`.execute(db)
  await db.schema.alterTable("payments").dropColumn("account").execute()
}

async function asking(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("payment_attempts")
    .addColumn("ask_at", "bigint", (column) => required(column).defaultTo(0))
    .execute()
  await db.schema.alterTable("payment_attempts").addColumn("coin", "text").execute()
  await db.schema.dropIndex("attempts_to_ask").execute()
  await db.schema
    .createIndex("attempts_to_ask")
    .on("payment_attempts")
    .columns(["status", "ask_at"])
    .execute()
}
