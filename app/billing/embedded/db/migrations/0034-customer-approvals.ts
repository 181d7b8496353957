import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { isShared } from "../engines/postgresql.server"
import { id, required } from "./columns"

export const customerApprovals: Migration = { up }

/** Requests about a customer, such as account credit, wait for a second operator too. */
async function up(db: Kysely<unknown>): Promise<void> {
  await (isShared(db) ? allowCustomers(db) : replaceApprovals(db))
  await db.schema
    .createIndex("approvals_by_client")
    .on("approvals")
    .columns(["client_id", "at"])
    .where(sql.ref("client_id"), "is not", null)
    .execute()
}

async function allowCustomers(db: Kysely<unknown>): Promise<void> {
  await sql`alter table approvals alter column order_id drop not null`.execute(db)
  await db.schema
    .alterTable("approvals")
    .addColumn("client_id", "text", (column) => column.references("clients.id"))
    .execute()
}

/** SQLite cannot take NOT NULL off a column. No table refers to this one. */
async function replaceApprovals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("approvals_new")
    .addColumn("id", "text", id)
    .addColumn("action", "text", required)
    .addColumn("order_id", "text", (column) => column.references("orders.id"))
    .addColumn("amount", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("details", "text", required)
    .addColumn("reason", "text", required)
    .addColumn("operator_id", "text")
    .addColumn("operator", "text", required)
    .addColumn("at", "bigint", required)
    .addColumn("expires_at", "bigint", required)
    .addColumn("decision", "text")
    .addColumn("decided_by", "text")
    .addColumn("decided_at", "bigint")
    .addColumn("result", "text")
    .addColumn("client_id", "text", (column) => column.references("clients.id"))
    .execute()
  const columns = sql.raw(
    "id, action, order_id, amount, currency, details, reason, operator_id, operator, at, expires_at, decision, decided_by, decided_at, result",
  )
  await sql`insert into approvals_new (${columns}) select ${columns} from approvals`.execute(db)
  await db.schema.dropTable("approvals").execute()
  await db.schema.alterTable("approvals_new").renameTo("approvals").execute()
  await db.schema.createIndex("approvals_by_order").on("approvals").columns(["order_id", "at"]).execute()
  await db.schema
    .createIndex("approvals_open")
    .on("approvals")
    .column("at")
    .where(sql.ref("result"), "is", null)
    .execute()
}
