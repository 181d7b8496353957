import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const approvals: Migration = { up }

/** Requests of operators that wait for a second one. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("approvals")
    .addColumn("id", "text", id)
    .addColumn("action", "text", required)
    .addColumn("order_id", "text", refersTo("orders.id"))
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
    .execute()
  await db.schema.createIndex("approvals_by_order").on("approvals").columns(["order_id", "at"]).execute()
  await db.schema
    .createIndex("approvals_open")
    .on("approvals")
    .column("at")
    .where(sql.ref("result"), "is", null)
    .execute()
}
