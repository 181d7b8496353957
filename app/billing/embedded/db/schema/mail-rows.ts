import type { Instant } from "~/domain/calendar"
import type { LocaleCode } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"
import type { MailState, MailSuppression, MessageName } from "~/domain/shop/mail"

/**
 * Mail log: one row per message, written in the transaction that causes it. No text is stored: the message is rendered
 * from the rows that it names. `once_key`: idempotency key. `email`: the recipient, if it is not the client's current
 * address; null for the operator. `email_key`: who it is sent to, normalized: of a message with an `email` from the
 * beginning, of others since their last try. By it bounces, erasure and export find the address. Null for the operator, and
 * for messages that were tried before this column. `detail`: what an operator's message is about.
 */
export type MailRow = {
  id: string
  once_key: string
  name: MessageName
  order_id: string | null
  client_id: string | null
  request_id: string | null
  email: string | null
  email_key: string | null
  locale: LocaleCode | null
  amount: number | null
  currency: Currency | null
  detail: string | null
  state: MailState
  tries: number
  reason: string | null
  created_at: Instant
  /** When the first try began; null for messages from before this column. */
  tried_at: Instant | null
  /** When the state became final; null until then. */
  settled_at: Instant | null
}

/** Address that gets no mail. `all`: the mailbox does not exist. `reminder`: unsubscribed from reminders. */
export type MailSuppressionRow = {
  email_key: string
  scope: MailSuppression["scope"]
  reason: string
  at: Instant
}

/**
 * Request to sign in by mail. Code and link are derived from its id, and stored nowhere. `session_id`: the browser that
 * asked. `tries`: codes tried. `ended_at`: when it was used, replaced or used up. `used_by`: the session that used it.
 */
export type SignInRequestRow = {
  id: string
  email_key: string
  session_id: string
  created_at: Instant
  tries: number
  ended_at: Instant | null
  used_by: string | null
}

/**
 * Change of e-mail by a customer. Code and link are derived from its id, and stored nowhere. `new_key`: normalized. `tries`:
 * codes tried. `ended_at`: when it was replaced, used up, stopped, undone or overtaken.
 */
export type EmailChangeRow = {
  id: string
  client_id: string
  former_email: string
  new_email: string
  new_key: string
  created_at: Instant
  tries: number
  confirmed_at: Instant | null
  reverted_at: Instant | null
  ended_at: Instant | null
}

/** E-mail that a customer had before the present one, normalized. `until`: when another one last took its place. */
export type FormerEmailRow = { client_id: string; email_key: string; until: Instant }
