import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const endedSessions: Migration = { up }

/**
 * Sessions ended before their cookies expire, and the instant from which sessions of a customer are valid: those with
 * account scope, and those with sign-up scope.
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
