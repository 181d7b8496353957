/** Port of outgoing mail. Adapter: smtp/. */
export interface Mailer {
  /**
   * Sends one message to one recipient. Never throws: every failure is an outcome. Idempotent only as far as the
   * receiver goes by the Message-ID, because SMTP delivers at least once.
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<MailOutcome>
}

/** An address with the name that is shown for it; the name may be empty. */
export type Mailbox = { readonly name: string; readonly address: string }

export type OutgoingMail = {
  /** Id in the mail log. Message-ID and envelope sender are made from it, so every try of a message has the same. */
  readonly id: string
  readonly to: Mailbox
  readonly subject: string
  readonly html: string
  readonly text: string
  /** For reminders: address of RFC 8058's one-click unsubscription. */
  readonly unsubscribeUrl: string | null
}

/** What became of a try. No text has an e-mail address in it, whatever the mail server answered. */
export type MailOutcome =
  | { readonly kind: "sent"; readonly response: string }
  /** Rejected for good; `status`: enhanced status code (RFC 3463), such as "5.1.1", null if the server gave none. */
  | { readonly kind: "rejected"; readonly status: string | null; readonly reason: string }
  /** Not accepted; a later try may succeed. `cause`: what would fail every message, or what concerns this one and its recipient. */
  | { readonly kind: "try-later"; readonly cause: "server" | "recipient"; readonly reason: string }
  /** The connection ended after the message was handed over and before the answer. */
  | { readonly kind: "unknown"; readonly reason: string }
