import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const refusedCallbacks: Migration = { up }

/** How often and why callbacks were refused, by day: a secret that no longer fits shows here first. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("refused_callbacks")
    .addColumn("gateway", "text", required)
    .addColumn("day", "text", required)
    .addColumn("reason", "text", required)
    .addColumn("count", "integer", required)
    .addPrimaryKeyConstraint("refused_callbacks_key", ["gateway", "day", "reason"])
    .execute()
}
