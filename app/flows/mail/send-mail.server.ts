import type { MailToSend, TryResult } from "~/billing/mail-repository"
import type { Job } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import { HOUR, type Instant, MINUTE } from "~/domain/calendar"
import { classOf, isNoMailbox, isSentAgain } from "~/domain/shop/mail"
import type { Mailer, MailOutcome } from "~/mail/mailer"
import { messageSetting } from "~/mail/message-setting"
import { unsubscribeUrl } from "~/mail/unsubscribe-link.server"
import { type Addressed, contentOf } from "./message-content.server"

/**
 * Pauses between tries: a mail server that is down for two days loses nothing, and what waits is sent within an hour once it is
 * back. Afterwards the message is parked.
 */
const BACKOFF = [1 * MINUTE, 5 * MINUTE, 30 * MINUTE, ...Array<number>(47).fill(HOUR)]

/** Services of a shop that has a mail server. */
export type MailingServices = LoggedServices & { readonly mailer: Mailer }

/**
 * Sends the message of a claimed job: rendered from what its order is now, marked before it is handed over, and settled
 * with the answer. Whatever fails, the message stays in the log and the job is tried again.
 */
export async function sendMail(services: MailingServices, job: Job, signal: AbortSignal): Promise<void> {
  const { mails, now, log } = services
  const mail = await mails.begin(job, now())
  if (mail === null) return
  const result = await triedOnce(services, mail, { job, signal })
  await mails.settle(job, result)
  const about = { mailId: mail.id, message: mail.name, orderId: mail.orderId, tries: mail.tries }
  const { state, reason } = result
  if (state === "sent" || state === "skipped") log.info({ ...about, state, reason }, "mail settled")
  else log.warn({ ...about, state, reason }, "mail not accepted")
}

type Try = { readonly job: Job; readonly signal: AbortSignal }

async function triedOnce(
  services: MailingServices,
  mail: MailToSend,
  { job, signal }: Try,
): Promise<TryResult> {
  const { mailer, now, log } = services
  try {
    const addressed = await contentOf(services, mail)
    const to = addressed && recipientOf(services, addressed)
    if (!addressed || to === null) return { state: "skipped", reason: "nothing to say any more", at: now() }
    const { id: mailId, name, locale } = mail
    const { publicUrl } = services.shop
    const isReminder = classOf(name) === "reminder"
    const unsubscribe = isReminder ? unsubscribeUrl(services.signer, { publicUrl, locale, mailId }) : null
    const setting = messageSetting(services.shop, { name, locale, now: now(), unsubscribeUrl: unsubscribe })
    // Loaded with the first message: the texts of all messages in six languages.
    const { renderMessage } = await import("~/mail/messages/render-message.server")
    const rendered = renderMessage(addressed.content, setting)
    const outcome = await mailer.send({ id: mailId, to, ...rendered, unsubscribeUrl: unsubscribe }, signal)
    return resultOf(outcome, mail, { job, at: now() })
  } catch (error) {
    // Billing that does not answer, or a mistake of ours: nothing was handed over.
    log.error({ err: error, mailId: mail.id, message: mail.name }, "mail not rendered")
    const reason = error instanceof Error ? error.message : String(error)
    return later(job, { at: now(), reason, serverFailed: null })
  }
}

function recipientOf({ shop }: Pick<LoggedServices, "shop">, { content, email }: Addressed) {
  const address = content.name.startsWith("operator-") ? (email ?? shop.operatorEmail) : email
  return address === null ? null : { name: "", address }
}

type Tried = { readonly job: Job; readonly at: Instant }

function resultOf(outcome: MailOutcome, { name }: MailToSend, { job, at }: Tried): TryResult {
  switch (outcome.kind) {
    case "sent":
      return { state: "sent", reason: outcome.response, at }
    case "try-later":
      return later(job, { at, reason: outcome.reason, serverFailed: outcome.cause === "server" })
    case "unknown":
      if (isSentAgain(name)) return later(job, { at, reason: outcome.reason, serverFailed: true })
      return { state: "unknown", reason: outcome.reason, at }
    case "rejected": {
      const { reason, status } = outcome
      // A refusal for policy, size or reputation says nothing about the mailbox: the operator has to know.
      return isNoMailbox(status)
        ? { state: "rejected", noMailbox: true, reason, at }
        : { state: "parked", reason, at }
    }
  }
}

type Failed = { readonly at: Instant; readonly reason: string; readonly serverFailed: boolean | null }

function later({ tries }: Job, { at, reason, serverFailed }: Failed): TryResult {
  const pause = BACKOFF[tries]
  return pause === undefined
    ? { state: "parked", reason, at }
    : { state: "waiting", due: at + pause, serverFailed, reason, at }
}
