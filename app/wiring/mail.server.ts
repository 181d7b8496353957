import type { MailPolicy } from "~/billing/mail-repository"
import type { Config } from "~/config/environment.server"
import { readSettingFile } from "~/config/setting-file.server"
import { bounceAddress } from "~/mail/bounce-address.server"
import type { Mailbox, Mailer } from "~/mail/mailer"
import type { Signer } from "~/security/hmac.server"

/** The sandbox's mailbox takes any address; this domain is reserved for examples. */
const SANDBOX_SENDER = "shop@shop.example"
const SANDBOX_OPERATOR = "operator@shop.example"

type MailConfig = Pick<
  Config,
  | "SMTP_URL"
  | "MAIL_FROM"
  | "MAIL_REPLY_TO"
  | "MAIL_BOUNCE_ADDRESS"
  | "MAIL_DKIM_SELECTOR"
  | "MAIL_DKIM_KEY_FILE"
  | "MAIL_ORDERS"
  | "MAIL_REMINDERS"
  | "MAIL_CREDITS_LOW"
  | "OPERATOR_EMAIL"
  | "sandbox"
  | "loopback"
>

/** Whether the shop has a mail server: its own, or the mailbox of the sandbox on loopback. */
export function hasMailServer({ SMTP_URL, sandbox, loopback }: MailConfig): boolean {
  return SMTP_URL !== undefined || (sandbox && loopback)
}

/** Whether buyers get mail about their orders. */
export function mailsOrders(config: Config): boolean {
  return hasMailServer(config) && config.MAIL_ORDERS === "on"
}

/** Sender of the shop's mail; null without a mail server. */
export function senderOf(config: MailConfig): Mailbox | null {
  if (!hasMailServer(config)) return null
  return config.MAIL_FROM ?? { name: "", address: SANDBOX_SENDER }
}

/** The messages that the shop sends; undefined without a mail server. */
export function mailPolicyOf(config: MailConfig): MailPolicy | undefined {
  if (!hasMailServer(config)) return undefined
  const { MAIL_ORDERS, MAIL_REMINDERS, MAIL_CREDITS_LOW } = config
  return {
    orders: MAIL_ORDERS === "on",
    reminders: MAIL_REMINDERS === "on",
    operator: operatorEmailOf(config) !== null,
    creditsLow: MAIL_CREDITS_LOW,
  }
}

/** Address of the operator's alerts; null: they are not mailed. */
export function operatorEmailOf(config: MailConfig): string | null {
  if (config.OPERATOR_EMAIL !== undefined) return config.OPERATOR_EMAIL
  return hasMailServer(config) && config.SMTP_URL === undefined ? SANDBOX_OPERATOR : null
}

type Surroundings = {
  readonly signer: Signer
  /** Changes while the shop runs. */
  readonly shopName: () => string
  /** Mail server of the sandbox; null without one. */
  readonly sandboxUrl: string | null
}

/** Opens the mailer; null without a mail server. Throws an `Error` that names a DKIM key file that cannot be read. */
export async function openMailer(
  config: MailConfig,
  { signer, shopName, sandboxUrl }: Surroundings,
): Promise<(Mailer & { close(): void }) | null> {
  const url = config.SMTP_URL ?? sandboxUrl
  const from = senderOf(config)
  if (url === null || from === null) return null
  const { MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY_FILE: keyFile } = config
  const bounces = config.MAIL_BOUNCE_ADDRESS ?? from.address
  const { smtpMailer } = await import("~/mail/smtp/smtp-mailer.server")
  return smtpMailer({
    url,
    from: {
      address: from.address,
      get name() {
        return from.name === "" ? shopName() : from.name
      },
    },
    replyTo: config.MAIL_REPLY_TO ?? null,
    bounceAddress: (mailId) => bounceAddress(signer, bounces, mailId),
    dkim:
      selector === undefined || keyFile === undefined
        ? null
        : { selector, privateKey: readSettingFile("MAIL_DKIM_KEY_FILE", keyFile).toString("utf8") },
  })
}
