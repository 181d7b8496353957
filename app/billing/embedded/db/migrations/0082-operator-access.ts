import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const operatorAccess: Migration = { up }

/** When operators got the one-time link of their access; of earlier ones it is known when they were added. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("operators").addColumn("access_at", "bigint").execute()
  await sql`update operators set access_at = created_at`.execute(db)
}
