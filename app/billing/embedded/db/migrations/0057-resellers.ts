import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const resellers: Migration = { up }

/** Resellers among the customers, of whom there are few. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("services_of_resellers")
    .on("services")
    .column("client_id")
    .where(sql<boolean>`kind = 'reseller'`)
    .execute()
}
