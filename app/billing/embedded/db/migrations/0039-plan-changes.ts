import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const planChanges: Migration = { up }

/** Changes of plan and billing cycle: those ordered, and the plan that follows when the paid time of a service ends. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("plan_changes")
    .addColumn("order_id", "text", (column) => id(column).references("orders.id"))
    .addColumn("service_id", "text", required)
    .addColumn("kind", "text", required)
    .addColumn("former_product_id", "text", required)
    .addColumn("former_name", "text", required)
    .addColumn("former_cycle", "text", required)
    .addColumn("former_anchor", "bigint", required)
    .addColumn("former_count", "integer", required)
    .addColumn("former_connections", "integer", required)
    .addColumn("product_id", "text", required)
    .addColumn("name", "text", required)
    .addColumn("cycle", "text", required)
    .addColumn("price", "bigint", required)
    .addColumn("moved", "bigint", required)
    .addColumn("paid_before", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("starts_at", "bigint", required)
    .addColumn("term_anchor", "bigint", required)
    .addColumn("term_zone", "text", required)
    .addColumn("term_count", "integer", required)
    .addColumn("extra_days", "integer", required)
    .addColumn("paid_until", "bigint", required)
    .addColumn("applied_at", "bigint")
    .execute()
  await db.schema.createIndex("plan_changes_by_service").on("plan_changes").column("service_id").execute()
  await db.schema
    .createTable("next_plans")
    .addColumn("service_id", "text", id)
    .addColumn("product_id", "text", required)
    .addColumn("name", "text", required)
    .addColumn("cycle", "text", required)
    .addColumn("price", "bigint", required)
    .addColumn("currency", "text", required)
    .addColumn("chosen_at", "bigint", required)
    .addColumn("starts_at", "bigint")
    .execute()
  await db.schema.alterTable("services").addColumn("plan_changed_at", "bigint").execute()
}
