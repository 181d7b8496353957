import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, refersTo, required } from "./columns"

export const bulkRuns: Migration = { up }

/** Actions of an operator on many orders, services or jobs, and each of them with its result. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("bulk_runs")
    .addColumn("id", "text", id)
    .addColumn("list", "text", required)
    .addColumn("action", "text", required)
    .addColumn("conditions", "text", required)
    .addColumn("days", "bigint")
    .addColumn("reason", "text", required)
    .addColumn("operator_id", "text")
    .addColumn("operator", "text", required)
    .addColumn("at", "bigint", required)
    .addColumn("stopped_at", "bigint")
    .addColumn("stopped_by", "text")
    .addColumn("finished_at", "bigint")
    .execute()
  await db.schema.createIndex("bulk_runs_by_time").on("bulk_runs").columns(["at", "id"]).execute()
  await db.schema
    .createTable("bulk_items")
    .addColumn("run_id", "text", refersTo("bulk_runs.id"))
    .addColumn("position", "bigint", required)
    .addColumn("item", "text", required)
    .addColumn("mark", "text", required)
    .addColumn("state", "text", required)
    .addColumn("detail", "text")
    .addColumn("at", "bigint")
    .addPrimaryKeyConstraint("bulk_items_pkey", ["run_id", "position"])
    .execute()
  await db.schema
    .createIndex("bulk_items_by_state")
    .on("bulk_items")
    .columns(["run_id", "state", "position"])
    .execute()
}
