import type { Instant } from "../calendar"
import { type Money, money } from "../money/money"
import { type Balance, balanceAfter, remaining } from "../payments/attempt-balance"
import { mostFinalStatus, type PaymentStatus, type PaymentUpdate } from "../payments/payment"
import { LATE_PAYMENT_GRACE } from "./order"
import type { OrderEvent, OrderStatus } from "./order-status"
import type { TimelineKind } from "./timeline"

/** The amounts of an invoice. */
export type OpenInvoice = {
  readonly total: Money
  /** Payments received less refunds. */
  readonly received: Money
  /** Part that became account credit; negative: account credit used for it. */
  readonly credited: Money
  /** Part of the received money that became account credit, regardless of account credit used. */
  readonly surplus: Money
  /** Part of the surplus that the operator has refunded as account credit. */
  readonly refundedToCredit: Money
  /** What gateways are paying back of it, unless it is paid: it counts as gone. */
  readonly onItsWay: Money
  /** The invoice has been paid before. */
  readonly paid: boolean
  /** It buys account credit: once it is covered, all money received is account credit. */
  readonly isTopUp: boolean
  /** The operator has received what was due outside the gateways: nothing is due, whatever they report later. */
  readonly paidByOperator: boolean
}

export type KnownAttempt = {
  readonly status: PaymentStatus
  readonly balance: Balance
  readonly amount: Money
}

/** Terms for accepting a payment. */
export type Terms = {
  /** The order accepts money; otherwise all of it becomes account credit. */
  readonly payable: boolean
  /** Tolerated underpayment in basis points of the total. */
  readonly tolerance: number
}

/** Effect of a payment update. Ledger entries are differences, so a repeated update has no effect. */
export type Settlement = {
  readonly attempt: { readonly status: PaymentStatus; readonly balance: Balance }
  /** The ledger entry to write, below zero for a refund; null when no money moved. */
  readonly movement: Money | null
  /** Part of the ledger entry that becomes account credit; negative: account credit taken back. */
  readonly surplus: Money
  readonly invoiceReceived: Money
  readonly orderEvent: OrderEvent | null
  readonly event: TimelineKind | null
}

/** Whether an order accepts a payment now; an order on hold does not (specification, Payments). */
export function acceptsPayment(status: OrderStatus, deadline: Instant, at: Instant): boolean {
  if (status === "fraud") return false
  const givenUp = status === "cancelled" || status === "expired"
  return !givenUp || at <= deadline + LATE_PAYMENT_GRACE
}

/**
 * The part that an attempt has of an update about its whole invoice (`PaymentUpdate.ofInvoice`): what no other attempt has received, and at
 * most what is due. Nothing is due to an order that accepts no money: the system that reports it has the credit. Amounts read before the
 * provider was called would count a payment once for each attempt, so they must be those of the transaction that applies the update.
 */
export function updateOfAttempt(
  invoice: OpenInvoice,
  { balance }: KnownAttempt,
  update: PaymentUpdate,
  { payable }: Pick<Terms, "payable">,
): PaymentUpdate {
  if (!update.ofInvoice) return update
  const before = remaining(balance)
  const others = invoice.received.minor - before
  const max = before + (payable && !invoice.paidByOperator ? outstanding(invoice).minor : 0)
  const isPaid = update.status === "paid"
  const minor = isPaid ? max : Math.max(before, Math.min(max, update.received.minor - others))
  const status = !isPaid && minor > 0 ? "partially-paid" : update.status
  return { ...update, status, received: { ...update.received, minor } }
}

/**
 * Settlement: computes the effect of a payment update on its invoice. `refused` for another currency: nothing changes.
 * Amounts of updates are cumulative, so order and repetition do not matter. A refund reduces the received amount, and
 * first the account credit that came from it.
 */
export function settle(
  invoice: OpenInvoice,
  attempt: KnownAttempt,
  update: PaymentUpdate,
  terms: Terms,
): Settlement | "refused" {
  const { currency } = invoice.total
  const named = [update.received, update.refunded ?? update.received, attempt.amount]
  if (named.some((it) => it.currency !== currency)) return "refused"

  const balance = balanceAfter(attempt.balance, update)
  const moved = remaining(balance) - remaining(attempt.balance)
  const before = received(invoice) - invoice.onItsWay.minor
  const accepted = terms.payable && !invoice.paidByOperator
  const covered = before + Math.max(moved, balance.gross - attempt.balance.gross)
  const grants = accepted && grantsAll(invoice, { moved, covered, terms })
  const surplus = surplusOf(invoice, { before, moved, accepted, grants })
  const status = mostFinalStatus(attempt.status, update.status)
  return {
    attempt: { status, balance },
    movement: moved === 0 ? null : money(moved, currency),
    surplus: money(surplus, currency),
    invoiceReceived: money(invoice.received.minor + moved, currency),
    ...(moved === 0
      ? { orderEvent: null, event: attempt.status === status ? null : eventOfStatus[status] }
      : consequence(invoice, {
          moved,
          surplus,
          covered,
          terms,
        })),
  }
}

type Moved = {
  readonly before: number
  readonly moved: number
  readonly accepted: boolean
  /** All money of the invoice is account credit. */
  readonly grants: boolean
}

/**
 * Overpayment, and everything received for an order that accepts no money or that the operator has marked as paid, becomes
 * account credit; of a top-up that is covered, all of it. A refund takes from the account credit that this invoice created
 * before it takes from the rest, and last from what was refunded as account credit: the gateway has paid that back as well.
 */
function surplusOf(invoice: OpenInvoice, { before, moved, accepted, grants }: Moved): number {
  const { total } = invoice
  // Stryker disable next-line EqualityOperator: without a movement both ways give zero.
  if (moved < 0) return -takenBack(invoice, -moved)
  if (!accepted) return moved
  // What is on its way back will be taken from this credit.
  if (grants) return before + moved + invoice.onItsWay.minor
  return Math.max(0, before + moved - total.minor) - Math.max(0, before - total.minor)
}

/**
 * What a refund of `amount` takes back of account credit, in minor units. What was on its way when the invoice was paid without it has
 * become no account credit.
 */
function takenBack(invoice: OpenInvoice, amount: number): number {
  const { total, surplus, refundedToCredit } = invoice
  const refunded = Math.min(refundedToCredit.minor, surplus.minor)
  const spare = Math.max(0, received(invoice) - total.minor)
  const first = Math.min(Math.max(0, amount - spare), surplus.minor - refunded)
  const kept = Math.max(0, invoice.received.minor - surplus.minor)
  return first + Math.min(refunded, Math.max(0, amount - first - kept))
}

type Change = {
  readonly moved: number
  readonly surplus: number
  /**
   * Amount that has covered the invoice, overpayment included. A refund in the same report does not count: the invoice has
   * been paid, as if both had been reported one after the other. More than the difference of the gross amounts has come if an
   * earlier remainder looked like a full refund.
   */
  readonly covered: number
  readonly terms: Terms
}

function consequence(
  invoice: OpenInvoice,
  { moved, surplus, covered, terms }: Change,
): Pick<Settlement, "orderEvent" | "event"> {
  // Stryker disable next-line EqualityOperator: it is called for movements alone, and none is zero.
  if (moved < 0) return { orderEvent: null, event: "refunded" }
  if (!terms.payable) return { orderEvent: null, event: "credited" }
  // What replaces a refunded amount, or comes to what the tolerance has forgiven, is no overpayment.
  if (invoice.paid) return { orderEvent: null, event: surplus < moved ? "paid" : "overpaid" }
  if (isCovered(invoice, covered, terms)) return { orderEvent: "paid", event: "paid" }
  return { orderEvent: "partlyPaid", event: "partly-paid" }
}

/** Whether all money of an invoice is account credit: that of a top-up, as soon as it is covered. */
function grantsAll(invoice: OpenInvoice, { moved, covered, terms }: Omit<Change, "surplus">): boolean {
  if (!invoice.isTopUp || moved <= 0) return false
  return invoice.paid || isCovered(invoice, covered, terms)
}

/** Whether an amount covers an invoice within the tolerance. */
export function isCovered({ total }: OpenInvoice, covered: number, { tolerance }: Terms): boolean {
  return covered >= total.minor - Math.floor((total.minor * tolerance) / 10_000)
}

/** Timeline event of a status change without a ledger entry. */
const eventOfStatus: Record<PaymentStatus, TimelineKind | null> = {
  pending: null,
  processing: "seen",
  "partially-paid": null,
  paid: null,
  expired: "payment-expired",
  failed: "payment-failed",
  // The refund was in an earlier report, or there was nothing to refund.
  refunded: null,
}

/** Covered amount of an invoice, in minor units. */
function received({ received, credited }: Pick<OpenInvoice, "received" | "credited">): number {
  return received.minor - credited.minor
}

/** Amount due; zero if the invoice is covered. */
export function outstanding(invoice: Pick<OpenInvoice, "total" | "received" | "credited">): Money {
  const { total } = invoice
  return money(Math.max(0, total.minor - received(invoice)), total.currency)
}
