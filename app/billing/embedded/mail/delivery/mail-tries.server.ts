import type { MailToSend, TryResult } from "~/billing/mail-repository"
import type { Job } from "~/billing/outbox"
import type { Instant } from "~/domain/calendar"
import { normalizeEmail } from "~/domain/customers/email"
import { defaultLocale, type LocaleCode } from "~/domain/locales"
import { money } from "~/domain/money/money"
import {
  finalMailStates,
  isAboutEnd,
  isForOperator,
  isSentAgain,
  isSuppressed,
  type MailState,
} from "~/domain/shop/mail"
import { ERASED } from "../../customers/erased-email.server"
import { WriteConflictError } from "../../db/engines/database-errors.server"
import { precompiledQuery } from "../../db/precompiled-query.server"
import type { MailRow } from "../../db/schema/mail-rows"
import { type DbContext, inTransaction } from "../../db/transaction.server"
import { completeClaimed, reschedule } from "../../jobs/outbox.server"
import { reasonAgainstDaysGiven } from "../../services/term-campaigns.server"
import { reasonAgainstDunningMail } from "../dunning-mails.server"
import { isSentBy } from "../enqueue-mail.server"
import { localeOfCustomer } from "../message-locale.server"
import { reasonAgainstRelease } from "./later-order.server"
import { noteMailServer } from "./mail-server-failure.server"
import { suppressionsOf, suppressRecipient } from "./suppressions.server"
import { reasonAgainstUnpaidReminder } from "./unpaid-order-reminder.server"

type Refusal = { readonly state: MailState; readonly reason: string }

/** Starts a try to send a message: see `MailRepository.begin`. */
export async function begin(ctx: DbContext, job: Job, at: Instant): Promise<MailToSend | null> {
  return inTransaction(ctx, async (tx) => {
    const mail = await mailOf(tx, job.subject)
    if (!mail || finalMailStates.includes(mail.state)) {
      await completeClaimed(tx, job)
      return null
    }
    const recipient = recipientOf(mail)
    const refusal = await refusalOf(tx, mail, { recipient, at })
    if (refusal) {
      await updateMail(tx, mail, { ...refusal, settled_at: at })
      await completeClaimed(tx, job)
      return null
    }
    const email_key = recipient && normalizeEmail(recipient)
    await updateMail(tx, mail, {
      state: "sending",
      tries: mail.tries + 1,
      tried_at: mail.tried_at ?? at,
      email_key,
    })
    return mailToSend(mail, { recipient, locale: await localeIn(tx, mail) })
  })
}

/** The language of a message, or else of its customer. */
async function localeIn(
  ctx: DbContext,
  {
    locale,
    client_id,
    client_locale,
  }: Pick<MailRow, "locale" | "client_id"> & { readonly client_locale: LocaleCode | null },
): Promise<LocaleCode> {
  const ofCustomer = locale === null && client_id !== null ? await localeOfCustomer(ctx, client_id) : null
  return locale ?? ofCustomer ?? client_locale ?? defaultLocale.code
}

/** Ends a try: see `MailRepository.settle`. */
export async function settle(ctx: DbContext, job: Job, result: TryResult): Promise<void> {
  await noteMailServer(ctx, result)
  await inTransaction(ctx, async (tx) => {
    const { at, state, reason } = result
    const settled = await tx.db
      .updateTable("mails")
      .set({ state, reason, settled_at: finalMailStates.includes(state) ? at : null })
      .where("id", "=", job.subject)
      .where("state", "=", "sending")
      .returning("id")
      .executeTakeFirst()
    // Erased meanwhile, or resent by the operator, whose job is another one.
    if (!settled) return
    await settleJob(tx, job, result)
    if (state === "rejected" && result.noMailbox)
      await suppressRecipient(tx, job.subject, { scope: "all", reason: reason ?? "", at })
  })
}

async function settleJob(ctx: DbContext, job: Job, result: TryResult): Promise<void> {
  const { at, state } = result
  const reason = result.reason ?? ""
  if (state === "waiting") return reschedule(ctx, job, { at, due: result.due, reason })
  if (state === "parked") return reschedule(ctx, job, { at, due: null, reason })
  return completeClaimed(ctx, job)
}

/** Who a message goes to; null for the operator's one address. */
function recipientOf({
  name,
  email,
  client_email,
}: MailRow & { client_email: string | null }): string | null {
  return isForOperator(name) ? email : (email ?? client_email)
}

/** Why a message is not sent (any more); null if it is. */
async function refusalOf(
  ctx: DbContext,
  mail: MailRow,
  { recipient, at }: { recipient: string | null; at: Instant },
): Promise<Refusal | null> {
  if (!isSentBy(ctx.mail, mail.name)) return skipped("no longer sent by the shop")
  // A process died between the message and the answer.
  if (mail.state === "sending" && !isSentAgain(mail.name))
    return { state: "unknown", reason: "the process ended before the mail server answered" }
  if (isForOperator(mail.name)) return null
  if (recipient === null || recipient === ERASED) return skipped("the customer was erased")
  const against = await reasonAgainst(ctx, mail, at)
  if (against !== null) return skipped(against)
  const suppressions = await suppressionsOf(ctx, recipient)
  const decisive = suppressions.find((it) => isSuppressed(mail.name, it))
  return decisive ? { state: "suppressed", reason: decisive.reason } : null
}

async function reasonAgainst(ctx: DbContext, mail: MailRow, at: Instant): Promise<string | null> {
  const { name } = mail
  if (name === "days-given") return reasonAgainstDaysGiven(ctx, mail)
  if (name === "order-released") return reasonAgainstRelease(ctx, mail)
  return isAboutEnd(name)
    ? reasonAgainstDunningMail(ctx, { ...mail, name })
    : reasonAgainstUnpaidReminder(ctx, mail, at)
}

function skipped(reason: string): Refusal {
  return { state: "skipped", reason }
}

/** A message, with e-mail and language of its customer as they are now. */
async function mailOf(ctx: DbContext, id: string) {
  const [mail] = await rowOfMail(ctx, id)
  return mail
}

const rowOfMail = precompiledQuery(({ db }, id) =>
  db
    .selectFrom("mails")
    .leftJoin("clients", "clients.id", "mails.client_id")
    .selectAll("mails")
    .select(["clients.email as client_email", "clients.locale as client_locale"])
    .where("mails.id", "=", id),
)

/** Writes a message that nobody else has written since it was read. */
async function updateMail(
  { db }: DbContext,
  { id, state, tries }: MailRow,
  changes: Partial<Pick<MailRow, "state" | "tries" | "tried_at" | "email_key" | "reason" | "settled_at">>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("mails")
    .set(changes)
    .where("id", "=", id)
    .where("state", "=", state)
    .where("tries", "=", tries)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new WriteConflictError(`Mail ${id}`)
}

function mailToSend(
  mail: MailRow,
  { recipient, locale }: { recipient: string | null; locale: MailToSend["locale"] },
): MailToSend {
  const { id, name, detail, amount, currency } = mail
  return {
    id,
    name,
    orderId: mail.order_id,
    clientId: mail.client_id,
    requestId: mail.request_id,
    email: recipient,
    locale,
    amount: amount === null || currency === null ? null : money(amount, currency),
    detail,
    enqueuedAt: mail.created_at,
    tries: mail.tries + 1,
  }
}
