import { DAY, HOUR, type Instant } from "../calendar"
import { type OrderStatus, payableStatuses } from "../orders/order-status"
import type { TimelineKind } from "../orders/timeline"

/** Messages to a customer; docs/mail.md describes each. */
export const customerMessages = [
  "receipt",
  "payment-received",
  "partly-paid",
  "order-expired",
  "account-credit",
  "refund",
  "invoice-replaced",
  "withdrawal",
  "order-unpaid",
  "order-released",
  "sign-in",
  "password-changed",
  "address-code",
  "address-requested",
  "address-changed",
  "new-reseller",
  "credits-low",
  "renewal-reminder",
  "renewal-due",
  "service-suspended",
  "termination-notice",
  "service-terminated",
  "price-announced",
  "days-given",
] as const

/** Messages to the operator, in English. */
export const operatorMessages = [
  "operator-not-provisioned",
  "operator-order-on-hold",
  "operator-gateway-down",
  "operator-gateway-up",
  "operator-refund",
  "operator-withdrawal",
  "operator-jobs-parked",
  "operator-dunning-stopped",
  "operator-webhook-failing",
  "operator-webhook-paused",
  "operator-access",
] as const

export const messageNames = [...customerMessages, ...operatorMessages] as const
export type CustomerMessage = (typeof customerMessages)[number]
export type OperatorMessage = (typeof operatorMessages)[number]
export type MessageName = (typeof messageNames)[number]

/**
 * Class of a message, which decides what unsubscribing and suppression end. `reminder`: the customer may unsubscribe.
 * `sign-in` is what somebody waits for: a code. `transactional` is what the customer asked for or paid for.
 */
export type MessageClass = "transactional" | "sign-in" | "reminder" | "operator"

/** The class of a message: see `MessageClass`. */
export function classOf(name: MessageName): MessageClass {
  if (name === "order-unpaid" || name === "renewal-reminder") return "reminder"
  if (name === "sign-in" || name === "address-code") return "sign-in"
  return isForOperator(name) ? "operator" : "transactional"
}

/** Messages about the end of a service that nobody renews: each says more than the ones before. */
export const dunningMessages = [
  "renewal-reminder",
  "renewal-due",
  "service-suspended",
  "termination-notice",
  "service-terminated",
] as const satisfies readonly CustomerMessage[]
export type DunningMessage = (typeof dunningMessages)[number]

/** Whether a message is about the end of a service. */
export function isAboutEnd(name: MessageName): name is DunningMessage {
  return dunningMessages.some((it) => it === name)
}

/** The service in the detail of a message about an end: "SERVICE INSTANT". */
export function serviceIdIn(detail: string): string {
  return detail.slice(0, detail.lastIndexOf(" "))
}

/** Detail of a sign-in message that an operator has sent. */
export const BY_OPERATOR = "by operator"

/** Detail of the messages of a refund that has become account credit: the kind of its event. */
export const REFUND_TO_CREDIT: TimelineKind = "refunded-to-credit"

/** Messages about what an order waits for, and its statuses as long as it does. */
const whileIn: Partial<Record<MessageName, readonly OrderStatus[]>> = {
  "partly-paid": ["partially-paid"],
  "payment-received": ["paid"],
  // On hold until the buyer has accepted a changed price.
  "order-released": ["fraud", ...payableStatuses],
  "operator-not-provisioned": ["paid"],
}

/** Whether what a message tells of is over: after an outage of mail it would ask for money that has arrived. */
export function isOutdated(name: MessageName, status: OrderStatus): boolean {
  const needed = whileIn[name]
  return needed !== undefined && !needed.includes(status)
}

/** Whether a message goes to the operator, and not to a customer. */
export function isForOperator(name: MessageName): name is OperatorMessage {
  return operatorMessages.some((it) => it === name)
}

/**
 * Whether a message is sent again after an attempt with an unknown outcome: the connection was lost after the final dot,
 * or the process died before the answer. The receiver may then have it twice, under the same Message-ID. A reminder is
 * not worth that.
 */
export function isSentAgain(name: MessageName): boolean {
  return classOf(name) !== "reminder"
}

/** Messages that a timeline event of an order causes; the mail log keeps one per order, or one per event. */
export const messagesOfEvent: Readonly<Partial<Record<TimelineKind, readonly EventMessage[]>>> = {
  provisioned: [{ name: "receipt", once: "order" }],
  renewed: [{ name: "receipt", once: "order" }],
  "credit-added": [{ name: "receipt", once: "order" }],
  "provisioning-delayed": [{ name: "payment-received", once: "order" }],
  "partly-paid": [{ name: "partly-paid", once: "event" }],
  expired: [{ name: "order-expired", once: "order" }],
  overpaid: [{ name: "account-credit", once: "event" }],
  credited: [{ name: "account-credit", once: "event" }],
  "part-credited": [{ name: "account-credit", once: "event" }],
  refunded: [
    { name: "refund", once: "event" },
    { name: "operator-refund", once: "event" },
  ],
  "refunded-to-credit": [
    { name: "refund", once: "event" },
    { name: "operator-refund", once: "event" },
  ],
  withdrawn: [
    { name: "withdrawal", once: "order" },
    { name: "operator-withdrawal", once: "order" },
  ],
  flagged: [{ name: "operator-order-on-hold", once: "event" }],
  released: [{ name: "order-released", once: "event" }],
  placed: [{ name: "order-unpaid", once: "order" }],
}

export type EventMessage = { readonly name: MessageName; readonly once: "order" | "event" }

/**
 * State of a message. `sending`: handed to the mail server, no answer yet. `rejected`: refused for good.
 * `suppressed`: not sent, because the address is suppressed. `skipped`: not sent, because there is no reason any more.
 * `unknown`: the outcome of the only try is unknown. `parked`: waits for the operator.
 */
export const mailStates = [
  "waiting",
  "sending",
  "sent",
  "rejected",
  "suppressed",
  "skipped",
  "unknown",
  "parked",
] as const
export type MailState = (typeof mailStates)[number]

/** States in which nothing is sent any more, unless the operator resends the message. */
export const finalMailStates: readonly MailState[] = ["sent", "rejected", "suppressed", "skipped", "unknown"]

/** Address that gets no mail. `all`: the mailbox does not exist. `reminder`: unsubscribed from reminders. */
export type MailSuppression = {
  readonly email: string
  readonly scope: "all" | "reminder"
  readonly reason: string
  readonly at: Instant
}

/** Whether a suppressed address gets a message of this name. The operator's own address is never suppressed. */
export function isSuppressed(name: MessageName, { scope }: Pick<MailSuppression, "scope">): boolean {
  if (isForOperator(name)) return false
  return scope === "all" || classOf(name) === "reminder"
}

/**
 * Enhanced status codes (RFC 3463) of a mailbox that does not exist: unknown mailbox, unknown host, mailbox moved,
 * mailbox disabled. Any other refusal says something about the message or the sender.
 */
const noMailbox: readonly string[] = ["5.1.1", "5.1.2", "5.1.6", "5.2.1"]

/** Whether a refusal with this enhanced status code means that the mailbox does not exist. */
export function isNoMailbox(status: string | null): boolean {
  return status !== null && noMailbox.includes(status)
}

/** What a mail relay reports about a message that it had accepted. */
export type MailEvent = {
  /** The Message-ID header, or the signed address that the message bounced to. */
  readonly messageId: string
  readonly type: "bounced" | "complained"
  /** Enhanced status code (RFC 3463) of a bounce; null if unknown. */
  readonly status: string | null
}

/** Time between an order and the reminder that it is unpaid. */
export const REMINDER_AFTER = 3 * HOUR
/** An address gets one reminder within this time. */
export const REMINDER_PAUSE = 30 * DAY
