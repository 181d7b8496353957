import type { LoggedServices } from "~/context/services.server"
import { isNoMailbox, type MailEvent } from "~/domain/shop/mail"
import { mailIdOfBounce } from "~/mail/bounce-address.server"
import { isOneOf } from "~/security/signature.server"

/** Whether a key may report events; compared in constant time. */
export function mayReport({ mailEventKeys }: Pick<LoggedServices, "mailEventKeys">, key: string): boolean {
  return isOneOf(key, mailEventKeys)
}

/**
 * Applies what a mail relay reports about messages after it has accepted them. A mailbox that does not exist gets no more
 * mail; a complaint ends reminders. Other bounces, for policy, size or reputation, are the operator's to know: they are
 * logged. Idempotent. Returns how many events named a message of this shop.
 */
export async function receiveMailEvents(
  { mails, signer, log, now }: Pick<LoggedServices, "mails" | "signer" | "log" | "now">,
  events: readonly MailEvent[],
): Promise<number> {
  let known = 0
  for (const { messageId, type, status } of events) {
    const mailId = mailIdOfBounce(signer, messageId) ?? messageId.replace(/^</, "").split("@", 1)[0] ?? ""
    const scope = scopeOf(type, status)
    const isKnown =
      scope !== null &&
      (await mails.suppressRecipient(mailId, { scope, reason: `${type} ${status ?? ""}`.trim(), at: now() }))
    if (isKnown) known++
    log.warn({ mailId, type, status, scope, isKnown }, "mail relay reported a message")
  }
  return known
}

function scopeOf(type: MailEvent["type"], status: string | null): "all" | "reminder" | null {
  if (type === "complained") return "reminder"
  return isNoMailbox(status) ? "all" : null
}
