import type { Logger } from "pino"
import type { Mailer } from "~/mail/mailer"

type Contacts = { readonly mailer: Mailer | null; readonly support: string | null }

/** Warns at the start of what the pages leave out: without a mail server messages, without a contact the way to support. */
export function reportMissing({ mailer, support }: Contacts, log: Pick<Logger, "warn">): void {
  if (mailer === null) log.warn({ variable: "SMTP_URL" }, "mail server not configured")
  if (support === null) log.warn({ variable: "SHOP_FILE" }, "support contact not configured")
}
