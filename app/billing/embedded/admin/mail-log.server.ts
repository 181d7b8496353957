import type { MailFilter, MailListed } from "~/billing/order-admin"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/email"
import { isForOperator, type MailSuppression } from "~/domain/mail"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { mailTopic } from "../mail/enqueue-mail.server"
import { requeueJob } from "../outbox.server"

/** Messages, newest first. */
export async function listMails(
  ctx: DbContext,
  { limit, state, orderId, customerId }: MailFilter,
): Promise<readonly MailListed[]> {
  const rows = await logged(ctx)
    .$if(state !== undefined, (rows) => rows.where("mails.state", "=", state ?? "sent"))
    .$if(orderId !== undefined, (rows) => rows.where("mails.order_id", "=", orderId ?? ""))
    .$if(customerId !== undefined, (rows) => rows.where("mails.client_id", "=", customerId ?? ""))
    .orderBy("mails.created_at", "desc")
    .limit(limit)
    .execute()
  return rows.map(listed)
}

/** One message; null for an unknown id. */
export async function showMail(ctx: DbContext, id: string): Promise<MailListed | null> {
  const row = await logged(ctx).where("mails.id", "=", id).executeTakeFirst()
  return row ? listed(row) : null
}

/** A message to the operator is about a customer, who does not get it. */
function listed(row: MailListed): MailListed {
  return isForOperator(row.name) ? { ...row, email: null } : row
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
