import { SECOND } from "~/domain/calendar"
import { isDeliverable } from "~/domain/customers/email"
import type { Mailbox, Mailer, OutgoingMail } from "../mailer"
import { outcomeOfError, withoutAddresses } from "./smtp-outcome"

export type SmtpSettings = {
  /** `smtp://` or `smtps://`, with user and password if the server wants them. */
  readonly url: string
  readonly from: Mailbox
  readonly replyTo: Mailbox | null
  /** Envelope sender of a message: where bounces return to. */
  readonly bounceAddress: (mailId: string) => string
  readonly dkim: DkimSettings | null
}

export type DkimSettings = { readonly selector: string; readonly privateKey: string }

/** Concurrent messages; more would only wait for a connection. */
export const SMTP_CONNECTIONS = 5

/** What DKIM signs: RFC 6376's recommendation, and both fields of one-click unsubscription (RFC 8058). */
const SIGNED_FIELDS = [
  "From",
  "Reply-To",
  "To",
  "Subject",
  "Date",
  "Message-ID",
  "MIME-Version",
  "Content-Type",
  "Content-Transfer-Encoding",
  "Auto-Submitted",
  "List-Unsubscribe",
  "List-Unsubscribe-Post",
]

/**
 * Mailer on an SMTP server. Off loopback a connection without TLS is refused, because messages sign customers in. The
 * library repeats nothing by itself: the outbox does, with a longer back-off, and across restarts. It is loaded with the first
 * message.
 */
export function smtpMailer(settings: SmtpSettings): Mailer & { close(): void } {
  const domain = settings.from.address.slice(settings.from.address.lastIndexOf("@") + 1)
  /** Message-IDs whose last byte was read by the connection: the final dot follows, and then the answer. */
  const handedOver = new Set<string>()
  let transport: ReturnType<typeof openTransport> | null = null

  return {
    async send(mail, signal) {
      if (!isDeliverable(mail.to.address))
        return { kind: "rejected", status: "5.1.3", reason: "not an address that SMTP can deliver to" }
      const messageId = `<${mail.id}@${domain}>`
      transport ??= openTransport(settings, { domain, onHandedOver: (id) => handedOver.add(id) })
      try {
        const opened = await transport
        const { response } = await opened.sendMail({ ...fieldsOf(mail, settings), messageId, signal })
        return { kind: "sent", response: withoutAddresses(response) }
      } catch (error) {
        return outcomeOfError(error, { handedOver: handedOver.has(messageId) })
      } finally {
        handedOver.delete(messageId)
      }
    },
    close: () => void transport?.then((opened) => opened.close({ force: true })),
  }
}

type Sending = { readonly domain: string; readonly onHandedOver: (messageId: string) => void }

async function openTransport({ url, dkim }: SmtpSettings, { domain, onHandedOver }: Sending) {
  const { createTransport } = await import("nodemailer")
  const transport = createTransport({
    pool: true,
    ...serverOf(url),
    maxConnections: SMTP_CONNECTIONS,
    maxRequeues: 0,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 30 * SECOND,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && { dkim: dkimOf(dkim, domain) }),
  })
  // A connection that fails while nothing is being sent is opened anew with the next message.
  transport.on("error", () => {})
  transport.use("stream", ({ message }, done) => {
    const create = message.createReadStream.bind(message)
    message.createReadStream = (options) => {
      const stream = create(options)
      stream.once("end", () => onHandedOver(message.messageId()))
      return stream
    }
    done()
  })
  return transport
}

/** Every address and name is an object, which the library encodes: nothing in them is read as another address. */
function fieldsOf(mail: OutgoingMail, { from, replyTo, bounceAddress }: SmtpSettings) {
  return {
    from,
    to: [mail.to],
    ...(replyTo && { replyTo }),
    envelope: { from: bounceAddress(mail.id), to: [mail.to.address] },
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    headers: {
      "Auto-Submitted": "auto-generated",
      ...(mail.unsubscribeUrl !== null && {
        "List-Unsubscribe": { prepared: true, value: `<${mail.unsubscribeUrl}>` },
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
  }
}

function serverOf(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === "smtps:"
  const host = hostname.replace(/^\[|\]$/g, "")
  return {
    host,
    secure,
    port: Number(port) || (secure ? 465 : 587),
    requireTLS: !secure && !isLoopback(host),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.")
}

function dkimOf({ selector, privateKey }: DkimSettings, domainName: string) {
  return { domainName, keySelector: selector, privateKey, headerFieldNames: SIGNED_FIELDS.join(":") }
}
