import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { isShared } from "../engines/postgresql.server"

export const mailLists: Migration = { up }

/**
 * Indexes of the console's lists of mail: all messages by time and id, those that are not sent by their state, messages to an
 * address that is not a customer's present one, and suppressed addresses by time. Addresses in the order of bytes, in which their
 * beginning is looked up.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("mails_by_time").execute()
  await db.schema
    .createIndex("mails_by_time")
    .on("mails")
    .columns(["created_at", "id", "name", "state"])
    .execute()
  await db.schema
    .createIndex("mails_by_state")
    .on("mails")
    .columns(["state", "created_at", "id"])
    .where(sql<boolean>`state <> 'sent'`)
    .execute()
  const bytes = isShared(db) ? sql` collate "C"` : sql``
  await sql`create index mails_by_email on mails ((lower(email)${bytes})) where email is not null`.execute(db)
  await db.schema
    .createIndex("mail_suppressions_by_time")
    .on("mail_suppressions")
    .columns(["at", "email_key"])
    .execute()
}
