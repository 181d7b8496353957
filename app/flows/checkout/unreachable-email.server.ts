import { isBillingOutage } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"
import { isDeliverable, normalizeEmail } from "~/domain/customers/email"
import type { RateLimitSubject } from "~/security/rate-limits.server"

type MailServices = Pick<LoggedServices, "mails" | "shop">

/** Whether no mail reaches an e-mail: its mailbox does not exist, or no mail server takes it. Unsubscribed reminders say nothing here. */
export async function isUnreachable({ mails, shop }: MailServices, email: string): Promise<boolean> {
  if (shop.mailSender === null) return false
  if (!isDeliverable(normalizeEmail(email))) return true
  return (await mails.suppressionsOf(normalizeEmail(email))).some(({ scope }) => scope === "all")
}

/**
 * Whether a visitor who typed an e-mail into an order is told that mail to it comes back. It says something about the
 * mailbox alone, and within a rate limit: whoever tries out other people's e-mails is told nothing any more, while an order
 * goes through in any case.
 */
export async function warnsOfEmail(
  { rateLimits, ...services }: MailServices & Pick<LoggedServices, "rateLimits">,
  email: string,
  who: RateLimitSubject,
): Promise<boolean> {
  if (services.shop.mailSender === null) return false
  // It says nothing about a mailbox.
  if (!isDeliverable(email)) return true
  const [isBouncing, allowed] = await Promise.all([
    isUnreachable(services, email).catch(notDuringOutage),
    rateLimits.emailCheck(who),
  ])
  return isBouncing && allowed.ok
}

/** The order meets the outage too, pauses ordering and says so. */
function notDuringOutage(error: unknown): false {
  if (!isBillingOutage(error)) throw error
  return false
}
