import { z } from "zod"
import { isEmail } from "~/domain/customers/email"
import { List, Switch } from "./fields.server"

/** "Shop <shop@example.com>", or an address alone. */
const MailboxField = z.string().transform((text, context) => {
  const mailbox = mailboxIn(text.trim())
  if (isEmail(mailbox.address)) return mailbox
  context.addIssue({ code: "custom", message: "must be like Shop <shop@example.com>" })
  return z.NEVER
})

/** Without a regular expression, whose time would grow with the square of a text without brackets. */
function mailboxIn(text: string): { name: string; address: string } {
  const bracket = text.indexOf("<")
  if (bracket === -1 || !text.endsWith(">")) return { name: "", address: text }
  const name = text.slice(0, bracket).trim().replace(/^"|"$/g, "")
  return { name, address: text.slice(bracket + 1, -1) }
}

const Address = z.string().refine(isEmail, "must be an email address")

/** Outgoing mail. */
export const mailFields = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be a URL, like smtp://user:password@mail.example:587" })
    .optional()
    .meta({
      description:
        "Mail server, as `smtp://user:password@host:587` (STARTTLS, required off loopback) or `smtps://…:465`. Without it no mail is sent",
      default: "the sandbox's mailbox, if there is one",
    }),
  MAIL_FROM: MailboxField.optional().meta({
    description: "Sender, as `Shop <shop@example.com>`. Required with `SMTP_URL`",
  }),
  MAIL_REPLY_TO: MailboxField.optional().meta({
    description: "Where replies go, in the same form",
    default: "`MAIL_FROM`",
  }),
  MAIL_BOUNCE_ADDRESS: Address.optional().meta({
    description:
      "Address that bounces return to; the shop adds `+` and a signed id of the message to its local part ([mail.md](mail.md))",
    default: "the address of `MAIL_FROM`",
  }),
  OPERATOR_EMAIL: Address.optional().meta({
    description:
      "Address that gets the operator's alerts; without it they are only in log, metrics and `doctor`",
  }),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,63}$/, "must be the name of a DKIM selector")
    .optional()
    .meta({
      description:
        "Selector of the DKIM key of the domain in `MAIL_FROM`, if the shop signs and not the mail server",
    }),
  MAIL_DKIM_KEY_FILE: z.string().optional().meta({ description: "File with its private key, as PEM" }),
  MAIL_EVENTS_KEY: List.pipe(z.array(z.string().min(32, "must have at least 32 characters")).nonempty())
    .optional()
    .meta({
      description:
        "Keys with which a mail relay reports bounces and complaints to `/checkout/api/mail/events`, separated by commas ([mail.md](mail.md)); without it that path is 404",
    }),
  MAIL_ORDERS: Switch.default("on").meta({
    description:
      "Messages about orders and payments. `off`: an external billing system sends its own ([whmcs.md](whmcs.md), [api.md](api.md))",
  }),
  MAIL_REMINDERS: Switch.default("off").meta({
    description:
      "One reminder of an unpaid order, three hours after it, and at most one per address in 30 days",
  }),
  MAIL_CREDITS_LOW: z.coerce.number().int().nonnegative().default(5).meta({
    description:
      "Balance of reseller credits at which a reseller gets the message that they run out; `0`: when none are left",
  }),
}
