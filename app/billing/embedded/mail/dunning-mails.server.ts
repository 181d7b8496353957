import type { Instant } from "~/domain/calendar"
import { type DunningStep, isReminder } from "~/domain/services/dunning"
import type { ServiceStatus } from "~/domain/services/service"
import { type DunningMessage, dunningMessages, finalMailStates, serviceIdIn } from "~/domain/shop/mail"
import type { MailRow } from "../db/schema/mail-rows"
import type { ServiceRow } from "../db/schema/order-rows"
import type { DbContext } from "../db/transaction.server"
import { enqueueMail } from "./enqueue-mail.server"
import { localeOfService } from "./message-locale.server"

type Concerned = Pick<ServiceRow, "id" | "order_id" | "client_id" | "paid_until">

/** What a message about the end of a service is about, for `serviceIdIn`: the service, and the end that it had then. */
function aboutEnd({ id, paid_until }: Pick<ServiceRow, "id" | "paid_until">): string {
  return `${id} ${paid_until}`
}

/** Enqueues the message of a step, once per step and end. */
export async function enqueueDunningMail(
  tx: DbContext,
  row: Concerned,
  { step, at }: { step: DunningStep; at: Instant },
): Promise<void> {
  await enqueueMail(tx, {
    name: messageOf(step),
    onceKey: onceKeyOf(row, keyOf(tx, step)),
    at,
    orderId: row.order_id,
    clientId: row.client_id,
    locale: await localeOfService(tx, row),
    detail: aboutEnd(row),
  })
}

const messages = {
  notice: "renewal-due",
  suspend: "service-suspended",
  "last-notice": "termination-notice",
  terminate: "service-terminated",
} as const

function messageOf(step: DunningStep): DunningMessage {
  return isReminder(step) ? "renewal-reminder" : messages[step]
}

/** A reminder by its days: the number of a reminder is another one's once the settings have changed. */
function keyOf({ terms }: DbContext, step: DunningStep): string {
  const [, number] = /^reminder-(\d+)$/.exec(step) ?? []
  return number === undefined ? step : `reminder of ${terms?.reminders[Number(number) - 1]} days`
}

function onceKeyOf(row: Concerned, step: string): string {
  return `${step} ${aboutEnd(row)}`
}

/** What became of a notice. */
export type Notice = {
  readonly enqueuedAt: Instant
  /** When a mail server was first asked to take it, or the shop found that nobody can have it; null: not yet. */
  readonly attemptedAt: Instant | null
  /** Whether nothing is left to try. */
  readonly isSettled: boolean
}

/** The notice of a suspension or termination of a service with its present end; null if there is none. */
export async function noticeOf(
  { db }: DbContext,
  row: Concerned,
  step: "notice" | "last-notice",
): Promise<Notice | null> {
  const mail = await db
    .selectFrom("mails")
    .select(["created_at", "tried_at", "settled_at", "state"])
    .where("once_key", "=", onceKeyOf(row, step))
    .executeTakeFirst()
  if (!mail) return null
  return {
    enqueuedAt: mail.created_at,
    attemptedAt: mail.tried_at ?? mail.settled_at,
    isSettled: finalMailStates.includes(mail.state),
  }
}

/** The status in which a service must be for a message about its end to be true. */
const trueIn: Record<DunningMessage, ServiceStatus> = {
  "renewal-reminder": "Active",
  "renewal-due": "Active",
  "service-suspended": "Suspended",
  "termination-notice": "Suspended",
  "service-terminated": "Terminated",
}

type DunningMail = MailRow & { readonly name: DunningMessage }

/** Why a message about the end of a service is not sent any more; null if it is. */
export async function reasonAgainstDunningMail(ctx: DbContext, mail: DunningMail): Promise<string | null> {
  const detail = mail.detail ?? ""
  const service = await ctx.db
    .selectFrom("services")
    .select(["id", "status", "paid_until", "declined_at"])
    .where("id", "=", serviceIdIn(detail))
    .executeTakeFirst()
  if (!service) return "there is no such service"
  if (service.status !== trueIn[mail.name]) return `the service is ${service.status}`
  if (aboutEnd(service) !== detail) return "the end of the service has changed"
  if (mail.name === "renewal-reminder" && service.declined_at !== null)
    return "the customer does not want to renew"
  return (await hasLaterMessage(ctx, mail)) ? "a later message about the same end says more" : null
}

/** After an outage of the mail server several messages about one end wait: the last one says all of them. */
async function hasLaterMessage({ db }: DbContext, mail: DunningMail): Promise<boolean> {
  const later = await db
    .selectFrom("mails")
    .select("id")
    .where("client_id", "=", mail.client_id)
    .where("name", "in", dunningMessages)
    .where("detail", "=", mail.detail)
    .where("created_at", ">", mail.created_at)
    .limit(1)
    .executeTakeFirst()
  return later !== undefined
}
