import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { normalizeEmail } from "~/domain/customers/email"
import { isShared } from "../engines/postgresql.server"

export const mailRecipients: Migration = { up }

type Mails = { mails: { id: string; email: string | null; email_key: string | null } }

/**
 * The normalized recipient of each message. SQL does not normalize as the shop does: SQLite leaves letters beyond ASCII as they
 * are, so addresses with such letters are normalized here, one by one.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("mails").addColumn("email_key", "text").execute()
  const mails = db as Kysely<Mails>
  const isPlain = sql<boolean>`octet_length(email) = length(email)`
  await mails
    .updateTable("mails")
    .set({ email_key: sql<string>`lower(trim(email))` })
    .where("email", "is not", null)
    .where(isPlain)
    .execute()
  const others = await mails
    .selectFrom("mails")
    .select(["id", "email"])
    .where("email", "is not", null)
    .where(({ not }) => not(isPlain))
    .execute()
  for (const { id, email } of others)
    await mails
      .updateTable("mails")
      .set({ email_key: normalizeEmail(email ?? "") })
      .where("id", "=", id)
      .execute()
  await db.schema.dropIndex("mails_by_email").execute()
  const bytes = isShared(db) ? sql` collate "C"` : sql``
  await sql`create index mails_by_email on mails ((email_key${bytes})) where email_key is not null`.execute(
    db,
  )
}
