import type { LoggedServices } from "~/context/services.server"
import { mailIdOfUnsubscribe } from "~/mail/unsubscribe-link.server"

/** Whether an address to unsubscribe is one that the shop has signed. */
export function isUnsubscribeLink(
  { signer }: Pick<LoggedServices, "signer">,
  query: URLSearchParams,
): boolean {
  return mailIdOfUnsubscribe(signer, query) !== null
}

/**
 * Ends reminders to who got a message, also if their address has changed since; receipts and sign-in go on. Idempotent. False for an
 * address that the shop has not signed. A message that was deleted or erased meanwhile has nobody left to remind.
 */
export async function unsubscribe(
  { mails, signer, log, now }: Pick<LoggedServices, "mails" | "signer" | "log" | "now">,
  query: URLSearchParams,
): Promise<boolean> {
  const mailId = mailIdOfUnsubscribe(signer, query)
  if (mailId === null) return false
  const isKnown = await mails.unsubscribe(mailId, { reason: "unsubscribed", at: now() })
  log.info({ mailId, isKnown }, "unsubscribed from reminders")
  return true
}
