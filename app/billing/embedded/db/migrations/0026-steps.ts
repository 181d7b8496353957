import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const steps: Migration = { up }

/** Steps of purchases as sums by day. An empty plan or gateway: not chosen yet. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("purchase_steps")
    .addColumn("day", "text", required)
    .addColumn("step", "text", required)
    .addColumn("plan", "text", required)
    .addColumn("gateway", "text", required)
    .addColumn("locale", "text", required)
    .addColumn("count", "bigint", required)
    .addPrimaryKeyConstraint("purchase_steps_key", ["day", "step", "plan", "gateway", "locale"])
    .execute()
}
