import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const refusedCallbacks: Migration = { up }

/** Rejected callbacks by gateway, day and reason; reveals an outdated webhook secret. */
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
