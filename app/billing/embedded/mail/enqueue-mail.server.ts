import type { MailPolicy, NewMail } from "~/billing/mail-repository"
import { normalizeEmail } from "~/domain/customers/email"
import { classOf, type MessageClass, type MessageName } from "~/domain/shop/mail"
import type { MailRow } from "../db/schema/mail-rows"
import type { DbContext } from "../db/transaction.server"
import { enqueueJob } from "../jobs/outbox.server"

/**
 * Enqueues a message in the current transaction, with the job that sends it. Idempotent per `onceKey`. Does nothing if
 * the shop does not send messages of this kind.
 */
export async function enqueueMail(ctx: DbContext, mail: NewMail): Promise<void> {
  if (!isSentBy(ctx.mail, mail.name)) return
  const row = await ctx.db
    .insertInto("mails")
    .values(rowOf(mail, ctx.newId()))
    .onConflict((conflict) => conflict.column("once_key").doNothing())
    .returning("id")
    .executeTakeFirst()
  const { name, at, due } = mail
  if (row) await enqueueJob(ctx, { topic: mailTopic(name), subject: row.id, at, due })
}

const unset = { orderId: null, clientId: null, requestId: null, email: null, locale: null, detail: null }

function rowOf(mail: NewMail, id: string): MailRow {
  const { name, onceKey, at, amount = null, ...about } = mail
  const { orderId, clientId, requestId, email, locale, detail } = { ...unset, ...about }
  return {
    id,
    once_key: onceKey,
    name,
    order_id: orderId,
    client_id: clientId,
    request_id: requestId,
    email,
    email_key: email && normalizeEmail(email),
    locale,
    amount: amount?.minor ?? null,
    currency: amount?.currency ?? null,
    detail,
    state: "waiting",
    tries: 0,
    reason: null,
    created_at: at,
    tried_at: null,
    settled_at: null,
  }
}

/** Topic of the job that sends a message: somebody waits for a sign-in code, so it has a queue of its own. */
export function mailTopic(name: MessageName): "mail" | "sign-in-mail" {
  return classOf(name) === "sign-in" ? "sign-in-mail" : "mail"
}

/** Whether the shop sends messages of this name. */
export function isSentBy(policy: MailPolicy | undefined, name: MessageName): boolean {
  if (policy === undefined) return false
  // It goes to the owners, whether or not there is an address for alerts.
  if (name === "operator-access") return true
  // Reminders of unpaid orders are off by default; those of an end have a list of days of their own.
  if (name === "order-unpaid") return policy.orders && policy.reminders
  return sentBy[classOf(name)](policy)
}

const sentBy: Record<MessageClass, (policy: MailPolicy) => boolean> = {
  "sign-in": () => true,
  transactional: ({ orders }) => orders,
  reminder: ({ orders }) => orders,
  operator: ({ operator }) => operator,
}
