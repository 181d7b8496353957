import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const longJobs: Migration = { up }

/** Longest delay of a job in versions before this migration, in milliseconds. */
const MAX_BACKOFF = 3_600_000

/**
 * When a job was delayed, to distinguish a job due in a year from one delayed by a wrong clock; until when its worker
 * has renewed the claim. For orders in external billing: which process works on it and until when, separate from the
 * time a call of a crashed process may still take effect.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const instant = (name: string, table: string) =>
    db.schema
      .alterTable(table)
      .addColumn(name, "bigint", (column) => required(column).defaultTo(0))
      .execute()
  await instant("put_off_at", "outbox")
  await instant("renewed_until", "outbox")
  await sql`update outbox set put_off_at = due - ${sql.lit(MAX_BACKOFF)}
    where state = 'waiting' and due > ${sql.lit(MAX_BACKOFF)}`.execute(db)
  await db.schema
    .createIndex("outbox_put_off")
    .on("outbox")
    .column("put_off_at")
    .where(sql<boolean>`state = 'waiting'`)
    .execute()
  await instant("held_until", "orders_there")
  await db.schema.alterTable("orders_there").addColumn("held_by", "text").execute()
}
