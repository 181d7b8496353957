import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

export const auditFilters: Migration = { up }

/** The audit log is listed by operator and by action too, the newest entries first. */
async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ["operator", "action"])
    await db.schema
      .createIndex(`audit_log_by_${column}`)
      .on("audit_log")
      .columns([column, "position"])
      .execute()
}
