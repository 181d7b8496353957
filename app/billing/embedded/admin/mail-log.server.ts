import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/email"
import type { MailState, MailSuppression } from "~/domain/mail"
import type { MailRow } from "../db/schema/mail-rows"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { mailTopic } from "../mail/enqueue-mail.server"
import { requeueJob } from "../outbox.server"

export type MailFilter = {
  readonly limit: number
  readonly state?: MailState | undefined
  readonly orderId?: string | undefined
}

/** A message in the operator's list. `email`: the recipient now; null for the operator. */
export type MailListed = Pick<MailRow, "id" | "name" | "state" | "tries" | "reason"> & {
  readonly orderId: string | null
  readonly email: string | null
  readonly createdAt: Instant
  readonly settledAt: Instant | null
}

/** Messages, newest first. */
export async function listMails(
  ctx: DbContext,
  { limit, state, orderId }: MailFilter,
): Promise<readonly MailListed[]> {
  return logged(ctx)
    .$if(state !== undefined, (rows) => rows.where("mails.state", "=", state ?? "sent"))
    .$if(orderId !== undefined, (rows) => rows.where("mails.order_id", "=", orderId ?? ""))
    .orderBy("mails.created_at", "desc")
    .limit(limit)
    .execute()
}

/** One message; null for an unknown id. */
export async function showMail(ctx: DbContext, id: string): Promise<MailListed | null> {
  return (await logged(ctx).where("mails.id", "=", id).executeTakeFirst()) ?? null
}

function logged({ db }: DbContext) {
  return db
    .selectFrom("mails")
    .leftJoin("clients", "clients.id", "mails.client_id")
    .select(["mails.id", "mails.name", "mails.state", "mails.tries", "mails.reason"])
    .select(["mails.order_id as orderId", "mails.created_at as createdAt", "mails.settled_at as settledAt"])
    .select((row) => row.fn.coalesce("mails.email", "clients.email").as("email"))
}

/** Sends a message again, whatever became of it: with the same id, rendered anew. False for an unknown id. */
export async function resendMail(ctx: DbContext, id: string, at: Instant): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const mail = await tx.db
      .updateTable("mails")
      .set({ state: "waiting", settled_at: null })
      .where("id", "=", id)
      .returning("name")
      .executeTakeFirst()
    if (mail) await requeueJob(tx, { topic: mailTopic(mail.name), subject: id, at })
    return mail !== undefined
  })
}

/** All suppressed addresses, newest first. */
export async function listSuppressions({ db }: DbContext): Promise<readonly MailSuppression[]> {
  const rows = await db.selectFrom("mail_suppressions").selectAll().orderBy("at", "desc").execute()
  return rows.map(({ email_key: email, scope, reason, at }) => ({ email, scope, reason, at }))
}

/** Ends every suppression of an address. Returns their number. */
export async function endSuppressions({ db }: DbContext, email: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("mail_suppressions")
    .where("email_key", "=", normalizeEmail(email))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
