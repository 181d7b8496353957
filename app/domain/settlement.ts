import { type Balance, balanceAfter, remaining } from "./attempt-balance"
import type { Instant } from "./calendar"
import { type Money, money } from "./money"
import { LATE_PAYMENT_GRACE } from "./order"
import type { OrderEvent, OrderStatus } from "./order-status"
import { mostFinalStatus, type PaymentStatus, type PaymentUpdate } from "./payment"
import type { TimelineKind } from "./timeline"

/** An invoice as far as its money goes. */
export type OpenInvoice = {
  readonly total: Money
  /** All that gateways have brought for it, less what they have refunded. */
  readonly received: Money
  /** What of it has gone to the customer's credit; below zero: what his credit has paid of it. */
  readonly credited: Money
  /** What of the money that came has gone to the customer's credit, whatever his credit has paid besides. */
  readonly surplus: Money
  /** It has been paid before: it does not become paid again. */
  readonly paid: boolean
}

export type KnownAttempt = {
  readonly status: PaymentStatus
  readonly balance: Balance
  readonly amount: Money
}

/** Under which terms money is taken. */
export type Terms = {
  /** Money may still pay the order; otherwise all of it becomes credit. */
  readonly payable: boolean
  /** How much of the total may be missing, in hundredths of a percent. */
  readonly tolerance: number
}

/** What a piece of news does to the books. Movements are differences, so repeating news moves nothing. */
export type Settlement = {
  readonly attempt: { readonly status: PaymentStatus; readonly balance: Balance }
  /** The ledger entry to write, below zero for a refund; null when no money moved. */
  readonly movement: Money | null
  /** What of the movement goes to the customer's credit; below zero: what is taken from there again. */
  readonly surplus: Money
  readonly invoiceReceived: Money
  readonly orderEvent: OrderEvent | null
  readonly told: TimelineKind | null
}

/** Whether money that comes now may still pay an order; one held as suspicious takes none (design, section 5). */
export function acceptsPayment(status: OrderStatus, deadline: Instant, at: Instant): boolean {
  if (status === "fraud") return false
  const givenUp = status === "cancelled" || status === "expired"
  return !givenUp || at <= deadline + LATE_PAYMENT_GRACE
}

/**
 * Reckons what news of a payment means for its invoice. `refused` when the news speaks of another currency:
 * nothing may change then. Amounts in `news` are cumulative, so order and repetition of events do not matter. A refund
 * takes its own amount from what was received, and first from what went to the customer's credit.
 */
export function settle(
  invoice: OpenInvoice,
  attempt: KnownAttempt,
  news: PaymentUpdate,
  terms: Terms,
): Settlement | "refused" {
  const { currency } = invoice.total
  const named = [news.received, news.refunded ?? news.received, attempt.amount]
  if (named.some((it) => it.currency !== currency)) return "refused"

  const balance = balanceAfter(attempt.balance, news)
  const moved = remaining(balance) - remaining(attempt.balance)
  const before = kept(invoice)
  const surplus = surplusOf(invoice, { before, moved, payable: terms.payable })
  const status = mostFinalStatus(attempt.status, news.status)
  return {
    attempt: { status, balance },
    movement: moved === 0 ? null : money(moved, currency),
    surplus: money(surplus, currency),
    invoiceReceived: money(invoice.received.minor + moved, currency),
    ...(moved === 0
      ? { orderEvent: null, told: attempt.status === status ? null : toldOf[status] }
      : consequence(invoice, { moved, surplus, covered: before + moved, terms })),
  }
}

type Moved = { readonly before: number; readonly moved: number; readonly payable: boolean }

/**
 * More than the total is credit, and all of what comes when the order cannot be paid; a refund takes from the credit
 * this invoice has given before it takes from the rest.
 */
function surplusOf({ total, surplus }: OpenInvoice, { before, moved, payable }: Moved): number {
  // Stryker disable next-line EqualityOperator: without a movement both ways give zero.
  if (moved < 0) return -Math.min(-moved, surplus.minor)
  if (!payable) return moved
  return Math.max(0, before + moved - total.minor) - Math.max(0, before - total.minor)
}

type Change = {
  readonly moved: number
  readonly surplus: number
  /** What covers the invoice now, with what goes beyond it. */
  readonly covered: number
  readonly terms: Terms
}

function consequence(
  invoice: OpenInvoice,
  { moved, surplus, covered, terms }: Change,
): Pick<Settlement, "orderEvent" | "told"> {
  // Stryker disable next-line EqualityOperator: it is called for movements alone, and none is zero.
  if (moved < 0) return { orderEvent: null, told: "refunded" }
  if (!terms.payable) return { orderEvent: null, told: "credited" }
  // What fills the gap that a refund has left is not too much.
  if (invoice.paid) return { orderEvent: null, told: surplus > 0 ? "overpaid" : "paid" }
  const missing = Math.floor((invoice.total.minor * terms.tolerance) / 10_000)
  if (covered >= invoice.total.minor - missing) return { orderEvent: "paid", told: "paid" }
  return { orderEvent: "partlyPaid", told: "partly-paid" }
}

/** What the buyer reads when an attempt changes without money moving. */
const toldOf: Record<PaymentStatus, TimelineKind | null> = {
  pending: null,
  processing: "seen",
  "partially-paid": null,
  paid: null,
  expired: "payment-expired",
  failed: "payment-failed",
  refunded: "refunded",
}

/** What of an invoice is covered, in minor units. */
function kept({ received, credited }: Pick<OpenInvoice, "received" | "credited">): number {
  return received.minor - credited.minor
}

/** What is still to be paid; zero when enough has come. */
export function outstanding(invoice: Pick<OpenInvoice, "total" | "received" | "credited">): Money {
  const { total } = invoice
  return money(Math.max(0, total.minor - kept(invoice)), total.currency)
}
