import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const requestedDevices: Migration = { up }

/** The device that the panel was asked to register and has not confirmed; null: none. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("services").addColumn("device_requested", "text").execute()
}
