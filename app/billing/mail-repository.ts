import type { Instant } from "~/domain/calendar"
import type { LocaleCode } from "~/domain/locales"
import type { Money } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { MailState, MailSuppression, MessageName } from "~/domain/shop/mail"
import type { Job } from "./outbox"

/**
 * Mail log and suppressed addresses. Messages that an order's timeline causes are enqueued in its transaction; a flow
 * enqueues the others. Every call may throw a `BillingError`.
 */
export interface MailRepository {
  /** Enqueues a message. Idempotent per `onceKey`. Does nothing if the shop does not send messages of this kind. */
  enqueue(mail: NewMail): Promise<void>
  /**
   * Starts a try to send the message of a claimed job, and returns what to send. Null if it must not be sent (any more):
   * its state is final then, and the job is done. A reminder is checked again here, in the transaction that marks it.
   */
  begin(job: Job, at: Instant): Promise<MailToSend | null>
  /** Ends a try: writes the state of message and job in one transaction. */
  settle(job: Job, result: TryResult): Promise<void>
  /** Suppresses an address. Idempotent. */
  suppress(suppression: MailSuppression): Promise<void>
  /**
   * Suppresses the address that a message was sent to, whatever its customer has now; `scope` as with `suppress`. False for an
   * unknown message, one that was not sent, and one whose recipient was erased. Idempotent.
   */
  suppressRecipient(mailId: string, suppression: Omit<MailSuppression, "email">): Promise<boolean>
  /**
   * Ends reminders to the person who got a message: to the address that it was sent to, and to the one that its customer has
   * now. False for an unknown message, and for one whose recipient was erased. Idempotent.
   */
  unsubscribe(mailId: string, suppression: Pick<MailSuppression, "reason" | "at">): Promise<boolean>
  /** Suppressions of an address (normalized), none for most. */
  suppressionsOf(email: string): Promise<readonly MailSuppression[]>
  /** Enqueues an alert for each order that was paid before and is not provisioned yet: one per order. */
  alertUnprovisioned(paidBefore: Instant, at: Instant): Promise<void>
  /** Enqueues an alert if a gateway has gone down or come up since the last alert about it. `at`: of one that is up, when it responded. */
  alertGateway(gateway: GatewayId, isDown: boolean, at: Instant): Promise<void>
  /** Enqueues an alert if a job was parked since the last one, at most one an hour. */
  alertParkedJobs(at: Instant): Promise<void>
  /** Figures of the messages enqueued since. */
  stats(now: Instant, since: Instant): Promise<MailStats>
  /** Retention: deletes settled messages, those of sign-ins after 30 days and others after 400. Returns how many. */
  deleteOld(now: Instant): Promise<number>
}

export type MailStats = {
  readonly counts: readonly {
    readonly name: MessageName
    readonly state: MailState
    readonly count: number
  }[]
  /** Since when the message waits that is due and has waited for longest; null if none is due. */
  readonly oldestUnsent: Instant | null
  /** When a mail server last accepted one of these messages; null: none. */
  readonly lastAccepted: Instant | null
  /**
   * Since when mail as a whole does not go out; null while it does. A message waits, and the mail server itself has failed at every try
   * since. A recipient's own server may defer for hours, so one of them counts only if nothing was accepted in the whole time;
   * otherwise messages to two wait, or one that was never tried, and nothing was accepted since.
   */
  readonly silentSince: Instant | null
}

/** A message to enqueue. */
export type NewMail = {
  readonly name: MessageName
  /** Idempotency key of subject, person and time, such as "receipt ORDERID". */
  readonly onceKey: string
  readonly at: Instant
  /** When it is sent; default: `at`. */
  readonly due?: Instant
  readonly orderId?: string | null
  readonly clientId?: string | null
  /** The request to sign in that a `sign-in` message answers, or the change of e-mail that the message is about. */
  readonly requestId?: string | null
  /** Recipient, if it is not the client's e-mail at the time of sending. */
  readonly email?: string | null
  /** Absent: that of the customer's last paid order, or else of their first visit. */
  readonly locale?: LocaleCode | null
  readonly amount?: Money | null
  /** What an operator's message is about, or the new address of a change of e-mail. */
  readonly detail?: string | null
}

/** A message that is being sent. */
export type MailToSend = {
  readonly id: string
  readonly name: MessageName
  readonly orderId: string | null
  readonly clientId: string | null
  readonly requestId: string | null
  /** Null for the operator's one address. */
  readonly email: string | null
  readonly locale: LocaleCode
  readonly amount: Money | null
  readonly detail: string | null
  readonly enqueuedAt: Instant
  /** This try, from 1. */
  readonly tries: number
}

export type TryResult = { readonly at: Instant; readonly reason: string | null } & (
  | { readonly state: Extract<MailState, "sent" | "skipped" | "unknown" | "parked"> }
  /** Refused for good; `noMailbox`: the mailbox does not exist, so that nothing is sent there any more. */
  | { readonly state: Extract<MailState, "rejected">; readonly noMailbox: boolean }
  /** Tried again at `due`. `serverFailed`: the mail server takes no message at all, as far as this try shows; null: not asked. */
  | {
      readonly state: Extract<MailState, "waiting">
      readonly due: Instant
      readonly serverFailed: boolean | null
    }
)

/** Which messages the shop sends. Absent in a database that is opened without a mail server. */
export type MailPolicy = {
  /** About orders and payments; off if the external billing system sends its own. */
  readonly orders: boolean
  readonly reminders: boolean
  /** To the operator. */
  readonly operator: boolean
  /** Balance of reseller credits at which the reseller gets a message. */
  readonly creditsLow: number
}
