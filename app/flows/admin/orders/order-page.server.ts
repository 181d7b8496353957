import type { Approval } from "~/billing/operators/approvals"
import type { JobListed, MailListed, OrderDetails } from "~/billing/orders/order-admin"
import type { GatewayRefund } from "~/billing/payments/gateway-refunds"
import type { ConsoleServices } from "~/context/services.server"
import { type IssuedDocument, isProformaOffered, type Proforma } from "~/domain/accounting/tax-document"
import type { Money } from "~/domain/money/money"
import type { ApprovedAction } from "~/domain/operators/approval"
import { emailShownTo, type OperatorRole, operatorShownTo } from "~/domain/operators/operator"
import { isPaidByWaiving, type TimelineSource } from "~/domain/orders/timeline"
import type { PaymentStatus, UnappliedReason } from "~/domain/payments/payment"
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
  readonly what: TimelineSource
  /** Kind of the event, gateway or status of the payment, topic of the job, or name of the message. */
  readonly name: string
  readonly detail: string
}

type Mail = OrderView["mails"][number]

/** How a timeline says what is stored as a code. */
export type TimelineTexts = {
  readonly amount: (amount: Money<string>) => string
  /** Of a gateway by its id; another text stays as it is, as that of an event. */
  readonly gateway: (id: string) => string
  readonly event: (kind: OrderView["timeline"][number]["kind"]) => string
  readonly payment: (status: PaymentStatus) => string
  readonly paymentNow: (status: PaymentStatus) => string
  readonly coin: (kind: OrderView["coinReferences"][number]["kind"]) => string
  readonly notApplied: string
  readonly whyNotApplied: (reason: UnappliedReason) => string
  /** Of money that no gateway has received or paid back. */
  readonly elsewhere: (amount: Money<string>) => string
  readonly job: (topic: JobListed["topic"]) => string
  readonly jobState: (state: JobListed["state"]) => string
  readonly mail: (name: Mail["name"]) => string
  readonly mailState: (state: Mail["state"]) => string
  readonly refund: (state: GatewayRefund["state"]) => string
  readonly request: (action: ApprovedAction) => string
  /** What became of a request that was confirmed. */
  readonly result: (result: string) => string
}

const asStored = (code: string) => code

/** The codes themselves, for files that programs read. */
export const storedCodes: Omit<TimelineTexts, "amount"> = {
  gateway: asStored,
  event: asStored,
  payment: asStored,
  paymentNow: (status) => `now ${status}`,
  coin: asStored,
  notApplied: "not applied",
  whyNotApplied: asStored,
  elsewhere: () => "elsewhere",
  job: asStored,
  jobState: asStored,
  mail: asStored,
  mailState: asStored,
  refund: (state) => `refund ${state}`,
  request: asStored,
  result: asStored,
}

/** Everything that has happened to an order, oldest first. */
export function wholeTimeline(view: OrderView, texts: TimelineTexts): readonly TimelineLine[] {
  const lines = [...orderLines(view, texts), ...moneyLines(view, texts), ...otherLines(view, texts)]
  return lines.toSorted((one, other) => one.at - other.at)
}

function orderLines({ timeline }: OrderView, texts: TimelineTexts): readonly TimelineLine[] {
  const shown = timeline.filter((it) => !isPaidByWaiving(it))
  return shown.map(({ at, kind, amount, reference }) =>
    line("event", at, texts.event(kind), [
      amount && texts.amount(amount),
      reference && texts.gateway(reference),
    ]),
  )
}

function moneyLines(view: OrderView, texts: TimelineTexts): readonly TimelineLine[] {
  return [
    ...view.attempts.map((it) =>
      line("attempt", it.openedAt, texts.gateway(it.gateway), [
        it.coin,
        texts.amount(it.amount),
        texts.paymentNow(it.status),
        it.paymentId,
      ]),
    ),
    ...view.coinReferences.map((it) =>
      line("coin", it.at, texts.coin(it.kind), [texts.gateway(it.gateway), it.value]),
    ),
    ...view.callbacks.map((it) =>
      line("callback", it.at, texts.payment(it.status), [
        texts.gateway(it.gateway),
        texts.amount(it.received),
        it.transactionId,
      ]),
    ),
    ...view.unapplied.map((it) =>
      line("callback", it.at, texts.notApplied, [
        texts.gateway(it.gateway),
        texts.whyNotApplied(it.reason),
        it.detail,
        `${it.count} ×`,
      ]),
    ),
    ...view.movements.map((it) =>
      line("ledger", it.bookedAt, texts.amount(it.amount), [
        it.gateway === null ? texts.elsewhere(it.amount) : texts.gateway(it.gateway),
        it.transactionId,
      ]),
    ),
    ...view.gatewayRefunds.map((it) =>
      line("refund", it.at, texts.refund(it.state), [
        texts.gateway(it.gateway),
        texts.amount(it.amount),
        it.detail,
        it.claimUrl,
      ]),
    ),
  ]
}

function otherLines(view: OrderView, texts: TimelineTexts): readonly TimelineLine[] {
  return [
    ...view.jobs.map((it) =>
      line("job", it.triedAt, texts.job(it.topic), [
        texts.jobState(it.state),
        it.tries === 1 ? "1 try" : `${it.tries} tries`,
        it.reason,
      ]),
    ),
    ...view.mails.map((it) =>
      line("mail", it.createdAt, texts.mail(it.name), [it.email, texts.mailState(it.state), it.reason]),
    ),
    ...view.approvals.flatMap(approvalLines(texts)),
    ...view.notes.map((it) => line("note", it.at, it.operator, [it.text])),
  ]
}

/** When it was asked for, and when it was decided. */
function approvalLines(texts: TimelineTexts) {
  return ({ at, action, amount, reason, operator, ...asked }: Approval): TimelineLine[] => {
    const [sum, what] = [texts.amount(amount), texts.request(action)]
    const first = line("approval", at, `${what} asked for`, [sum, operator, reason])
    const { decision, decidedAt, decidedBy, result } = asked
    if (decision === null || decidedAt === null) return [first]
    const became = result && texts.result(result)
    return [first, line("approval", decidedAt, `${what} ${decision}`, [sum, decidedBy, became])]
  }
}

function line(
  what: TimelineSource,
  at: number,
  name: string,
  details: readonly (string | null)[],
): TimelineLine {
  return { at, what, name, detail: details.filter(Boolean).join(", ") }
}
