import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { isShared } from "../engines/postgresql.server"
import { refersTo, required } from "./columns"

export const formerEmails: Migration = { up }

/**
 * E-mails that customers had before the present one, by which operators find them and their orders. Those of earlier changes are the
 * addresses to which the messages about them went, as far as the mail log goes back.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("former_emails")
    .addColumn("client_id", "text", refersTo("clients.id"))
    .addColumn("email_key", "text", required)
    .addColumn("until", "bigint", required)
    .addPrimaryKeyConstraint("former_emails_pkey", ["client_id", "email_key"])
    .execute()
  const bytes = isShared(db) ? sql` collate "C"` : sql``
  await sql`create index former_emails_by_email on former_emails (email_key${bytes})`.execute(db)
  await sql`
    insert into former_emails (client_id, email_key, until)
    select mails.client_id, mails.email_key, max(mails.created_at) from mails
    inner join clients on clients.id = mails.client_id
    where mails.name = 'address-changed' and mails.email_key is not null and mails.email_key <> clients.email_key
    group by mails.client_id, mails.email_key`.execute(db)
}
