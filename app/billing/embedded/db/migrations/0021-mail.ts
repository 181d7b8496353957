import { type Kysely, sql } from "kysely"
import type { Migration } from "kysely/migration"
import { id, required } from "./columns"

export const mail: Migration = { up }

/**
 * The mail log, suppressed addresses, sign-ins by mail, queues of jobs, and when a customer has proven an e-mail address.
 */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("mails")
    .addColumn("id", "text", id)
    .addColumn("once_key", "text", (column) => required(column).unique())
    .addColumn("name", "text", required)
    .addColumn("order_id", "text")
    .addColumn("client_id", "text")
    .addColumn("request_id", "text")
    .addColumn("email", "text")
    .addColumn("locale", "text")
    .addColumn("amount", "bigint")
    .addColumn("currency", "text")
    .addColumn("detail", "text")
    .addColumn("state", "text", required)
    .addColumn("tries", "integer", required)
    .addColumn("reason", "text")
    .addColumn("created_at", "bigint", required)
    .addColumn("settled_at", "bigint")
    .execute()
  const index = (name: string, column: string) => db.schema.createIndex(name).on("mails").column(column)
  await index("mails_by_order", "order_id").where(sql.ref("order_id"), "is not", null).execute()
  await index("mails_by_client", "client_id").where(sql.ref("client_id"), "is not", null).execute()
  await index("mails_by_time", "created_at").execute()
  await db.schema.createIndex("mails_by_name").on("mails").columns(["name", "created_at"]).execute()
  await index("mails_unsent", "created_at").where(sql<boolean>`state in ('waiting', 'sending')`).execute()

  await db.schema
    .createTable("mail_suppressions")
    .addColumn("email_key", "text", required)
    .addColumn("scope", "text", required)
    .addColumn("reason", "text", required)
    .addColumn("at", "bigint", required)
    .addPrimaryKeyConstraint("mail_suppressions_pkey", ["email_key", "scope"])
    .execute()

  await db.schema
    .createTable("sign_in_requests")
    .addColumn("id", "text", id)
    .addColumn("email_key", "text", required)
    .addColumn("session_id", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("tries", "integer", required)
    .addColumn("ended_at", "bigint")
    .addColumn("used_by", "text")
    .execute()
  await db.schema
    .createIndex("sign_in_requests_by_email")
    .on("sign_in_requests")
    .column("email_key")
    .execute()
  await db.schema
    .createIndex("sign_in_requests_by_time")
    .on("sign_in_requests")
    .column("created_at")
    .execute()

  await db.schema
    .createIndex("outbox_queue")
    .on("outbox")
    .columns(["topic", "due"])
    .where(sql<boolean>`state = 'waiting'`)
    .execute()

  await db.schema.alterTable("clients").addColumn("email_proven_at", "bigint").execute()
}
