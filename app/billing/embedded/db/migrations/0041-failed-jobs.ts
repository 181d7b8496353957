import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"

export const failedJobs: Migration = { up }

/**
 * Indexes that find few jobs and messages among however many wait: due jobs of a topic, jobs that a wrong clock has put off,
 * failed jobs in the order in which they are listed and by topic, messages that were tried and have not gone out, and the last one that
 * has. Those of jobs begin with
 * or contain the state, because SQLite prefers `outbox_due`, which has it, to an index that only has it in its condition.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  const isWaiting = sql<boolean>`state = 'waiting'`
  await db.schema.dropIndex("outbox_queue").execute()
  await db.schema
    .createIndex("outbox_queue")
    .on("outbox")
    .columns(["topic", "state", "due"])
    .where(isWaiting)
    .execute()
  await db.schema.dropIndex("outbox_put_off").execute()
  await db.schema
    .createIndex("outbox_put_off")
    .on("outbox")
    .columns(["state", "put_off_at"])
    .where(isWaiting)
    .execute()
  await db.schema
    .createIndex("outbox_failed")
    .on("outbox")
    .columns(["state", "put_off_at", "id"])
    .where(sql<boolean>`tries > 0`)
    .execute()
  await db.schema
    .createIndex("outbox_failed_topics")
    .on("outbox")
    .columns(["state", "topic", "subject"])
    .where(sql<boolean>`tries > 0`)
    .execute()
  await db.schema
    .createIndex("mails_sent")
    .on("mails")
    .column("settled_at")
    .where(sql<boolean>`state = 'sent'`)
    .execute()
  await db.schema.dropIndex("mails_unsent").execute()
  await db.schema
    .createIndex("mails_unsent")
    .on("mails")
    .column("created_at")
    .where(sql<boolean>`tries > 0 and state in ('waiting', 'sending')`)
    .execute()
}
