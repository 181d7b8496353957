import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const endedSessions: Migration = { up }

/**
 * Sessions that were ended before their cookies have run out, and from when on a customer's sessions count: those of
 * his account, and those of whoever has only signed up.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("ended_sessions")
    .addColumn("id", "text", id)
    .addColumn("until", "bigint", required)
    .execute()
  await db.schema.createIndex("ended_sessions_until").on("ended_sessions").column("until").execute()
  for (const column of ["sessions_since", "sign_up_sessions_since"])
    await db.schema.alterTable("clients").addColumn(column, "bigint").execute()
}
