import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { required } from "./columns"

export const longJobs: Migration = { up }

/** The longest that a job was put off before a job said when that was: an hour. */
const MAX_BACKOFF = 3_600_000

/**
 * When a job was put off, so that one that is to be done in a year is told from one that a clock gone wrong has put
 * off; until when its worker has said that it is still at it; and, for orders that external billing is to have, which
 * process is at it, apart from how long a call of one that has died may still be at work there.
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
