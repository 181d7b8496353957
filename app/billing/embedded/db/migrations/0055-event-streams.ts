import { randomBytes } from "node:crypto"
import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id } from "./columns"

export const eventStreams: Migration = { up }

/**
 * Names the order in which events are handed out. No backup contains it, so a restore, which creates all tables anew, begins
 * another one: a reader sees by it that events may be missing.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable("event_streams").addColumn("id", "text", id).execute()
  await sql`insert into event_streams (id) values (${randomBytes(4).toString("hex")})`.execute(db)
}
