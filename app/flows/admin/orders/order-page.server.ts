import type { Approval } from "~/billing/operators/approvals"
import type { JobListed, MailListed, OrderDetails } from "~/billing/orders/order-admin"
import type { GatewayRefund } from "~/billing/payments/gateway-refunds"
import type { ConsoleServices } from "~/context/services.server"
import { emailShownTo, type OperatorRole, operatorShownTo } from "~/domain/operator"
import { type IssuedDocument, isProformaOffered, type Proforma } from "~/domain/tax-document"
import { jobSubjects } from "../find-jobs.server"

/** All that the console shows of an order. */
export type OrderView = OrderDetails & {
  readonly jobs: readonly JobListed[]
  readonly mails: readonly MailListed[]
  /** What has waited for a second operator, oldest first. */
  readonly approvals: readonly Approval[]
  /** What gateways pay back, oldest first. */
  readonly gatewayRefunds: readonly GatewayRefund[]
  /** Invoices and credit notes, oldest first; none for who may not see whose they are. */
  readonly documents: readonly IssuedDocument[]
  /** Whether it has a proforma, for who may see whose it is. */
  readonly hasProforma: boolean
}

/** An order has few messages; the limit only bounds the query. */
const MAX_MAILS = 200

/** An order with its jobs and messages; null for an unknown number. A viewer gets masked e-mails. */
export async function orderView(
  {
    console: { orders, approvals },
    refunds,
    documents,
  }: Pick<ConsoleServices, "console" | "refunds" | "documents">,
  number: string,
  role: OperatorRole,
): Promise<OrderView | null> {
  const details = await orders.order(number)
  if (!details) return null
  const { id } = details.order
  const [jobs, mails, asked, gatewayRefunds, issued] = await Promise.all([
    orders.jobs(id),
    orders.mails({ orderId: id, limit: MAX_MAILS }),
    approvals.ofOrder(id),
    refunds.ofOrder(id),
    seesDocuments(role) && details.order.tax ? documents.taxDocumentsOf(id) : [],
  ])
  const shown = (email: string) => emailShownTo(role, email)
  return {
    ...details,
    email: shown(details.email),
    notes: details.notes.map((note) => ({ ...note, operator: operatorShownTo(role, note.operator) })),
    jobs,
    mails: mails.map((mail) => ({ ...mail, email: mail.email && shown(mail.email) })),
    approvals: asked.map((it) => ({
      ...it,
      operator: operatorShownTo(role, it.operator),
      decidedBy: it.decidedBy && operatorShownTo(role, it.decidedBy),
    })),
    gatewayRefunds,
    documents: issued,
    hasProforma: seesDocuments(role) && isProformaOffered(details.order),
  }
}

/** A document names its buyer, whose e-mail a viewer does not see. */
function seesDocuments(role: OperatorRole): boolean {
  return role !== "viewer"
}

/** What the console calls the proforma of an order in place of a number: numbers end with a year and digits. */
const PROFORMA = "proforma"

/** A document of an order, by its number; null for one that the order does not have, or the role does not see. */
export async function documentOfOrder(
  { documents }: Pick<ConsoleServices, "documents">,
  { order, number, role }: { readonly order: string; readonly number: string; readonly role: OperatorRole },
): Promise<IssuedDocument | Proforma | null> {
  if (!seesDocuments(role)) return null
  if (number === PROFORMA) return documents.proforma(order)
  const document = await documents.taxDocument(number)
  return document?.orderId === order ? document : null
}

/**
 * What an operator has seen of an order, as far as actions depend on it: another text says that something has happened since. A
 * message that goes out, or is tried again, changes nothing that an action does; one that was given up can be retried.
 */
export function seenOf({ order, timeline, notes, tags, jobs, ...view }: OrderView): string {
  const states = jobs
    .filter(({ topic, state }) => state === "parked" || !mailTopics.includes(topic))
    .map(({ id, state, tries }) => `${id}${state}${tries}`)
    .toSorted()
  const asked = [
    ...view.approvals.map(({ result }) => result ?? "open"),
    ...view.gatewayRefunds.map(({ state }) => state),
  ]
  return [
    timeline.length,
    order.status,
    order.decision ?? "",
    order.received.minor,
    order.credited.minor,
    notes.length,
    ...tags,
    ...states,
    ...asked,
  ].join(" ")
}

const mailTopics: readonly JobListed["topic"][] = jobSubjects.mail

/** What the form that sends a message again depends on: also the messages themselves, so that nobody gets one twice by it. */
export function seenWithMails(view: OrderView): string {
  return [seenOf(view), ...view.mails.map(mailMark)].join("; ")
}

/** Whether an operator has seen what the action depends on: for a message that is sent again, that message and no other. */
export function isSeen(
  view: OrderView,
  { action, seen, target }: { readonly action: string; readonly seen: string; readonly target: string },
): boolean {
  if (action !== "resend-mail") return seen === seenOf(view)
  const [order, ...mails] = seen.split("; ")
  const mail = view.mails.find(({ id }) => id === target)
  return order === seenOf(view) && (mail === undefined || mails.includes(mailMark(mail)))
}

function mailMark({ id, state, tries }: MailListed): string {
  return `${id} ${state} ${tries}`
}

export type TimelineLine = {
  readonly at: number
  readonly what: "event" | "attempt" | "callback" | "ledger" | "job" | "mail" | "note" | "approval" | "refund"
  /** Kind of the event, gateway or status of the payment, topic of the job, or name of the message. */
  readonly name: string
  readonly detail: string
}

/** Everything that has happened to an order, oldest first. */
export function wholeTimeline(view: OrderView, amountText: AmountText): readonly TimelineLine[] {
  return [
    ...view.timeline.map(({ at, kind, amount, reference }) =>
      line("event", at, kind, [amount && amountText(amount), reference]),
    ),
    ...view.attempts.map((it) =>
      line("attempt", it.openedAt, it.gateway, [
        it.coin,
        amountText(it.amount),
        `now ${it.status}`,
        it.paymentId,
      ]),
    ),
    ...view.coinReferences.map((it) => line("attempt", it.at, it.gateway, [`coin ${it.kind}`, it.value])),
    ...view.callbacks.map((it) =>
      line("callback", it.at, it.status, [it.gateway, amountText(it.received), it.transactionId]),
    ),
    ...view.unapplied.map((it) =>
      line("callback", it.at, "not applied", [it.gateway, it.reason, it.detail, `${it.count} ×`]),
    ),
    ...view.movements.map((it) =>
      line("ledger", it.bookedAt, amountText(it.amount), [it.gateway ?? "elsewhere", it.transactionId]),
    ),
    ...view.jobs.map((it) => line("job", it.triedAt, it.topic, [it.state, `${it.tries} tries`, it.reason])),
    ...view.mails.map((it) => line("mail", it.createdAt, it.name, [it.email, it.state, it.reason])),
    ...view.gatewayRefunds.map((it) =>
      line("refund", it.at, `refund ${it.state}`, [
        it.gateway,
        amountText(it.amount),
        it.detail,
        it.claimUrl,
      ]),
    ),
    ...view.approvals.flatMap(approvalLines(amountText)),
    ...view.notes.map((it) => line("note", it.at, it.operator, [it.text])),
  ].toSorted((one, other) => one.at - other.at)
}

/** When it was asked for, and when it was decided. */
function approvalLines(amountText: AmountText) {
  return ({ at, action, amount, reason, operator, ...asked }: Approval): TimelineLine[] => {
    const sum = amountText(amount)
    const first = line("approval", at, `${action} asked for`, [sum, operator, reason])
    const { decision, decidedAt, decidedBy, result } = asked
    if (decision === null || decidedAt === null) return [first]
    return [first, line("approval", decidedAt, `${action} ${decision}`, [sum, decidedBy, result])]
  }
}

type AmountText = (amount: OrderView["order"]["total"]) => string

function line(
  what: TimelineLine["what"],
  at: number,
  name: string,
  details: readonly (string | null)[],
): TimelineLine {
  return { at, what, name, detail: details.filter(Boolean).join(", ") }
}
