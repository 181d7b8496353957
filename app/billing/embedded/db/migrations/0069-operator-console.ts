import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const operatorConsole: Migration = { up }

/**
 * Some of the rejected callbacks as they were sent, without signatures and secrets; entries of the audit log by time; and whether a
 * product was ever sold.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("rejected_callbacks")
    .addColumn("id", "text", id)
    .addColumn("gateway", "text", required)
    .addColumn("reason", "text", required)
    .addColumn("at", "bigint", required)
    .addColumn("address", "text")
    .addColumn("headers", "text", required)
    .addColumn("body", "text", required)
    .addColumn("size", "integer", required)
    .addColumn("digest", "text", required)
    .execute()
  await db.schema
    .createIndex("rejected_callbacks_by_time")
    .on("rejected_callbacks")
    .columns(["at", "id"])
    .execute()
  await soldProductsAndAuditTime(db)
}

/** What versions do not have that knew this migration as `0069-rejected-callbacks`. */
export async function soldProductsAndAuditTime(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex("audit_log_by_time").on("audit_log").columns(["at", "position"]).execute()
  for (const table of ["services", "next_plans", "plan_changes"])
    await db.schema.createIndex(`${table}_of_product`).on(table).column("product_id").execute()
}
