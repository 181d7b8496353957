import { type Money, minus, money } from "./money"
import type { OrderEvent } from "./order-status"
import { betterWord, type PaymentNews, type PaymentStatus } from "./payment"
import type { TimelineKind } from "./timeline"

export type OpenInvoice = { readonly total: Money; readonly received: Money }
export type KnownAttempt = {
  readonly status: PaymentStatus
  readonly received: Money
  readonly amount: Money
}

/** What a piece of news does to the books. Movements are differences, so repeating news moves nothing. */
export type Settlement = {
  readonly attempt: { readonly status: PaymentStatus; readonly received: Money }
  /** The ledger entry to write; null when no money moved. */
  readonly movement: Money | null
  /** What of the movement is more than the invoice asks: credit for the customer. */
  readonly surplus: Money
  readonly invoiceReceived: Money
  readonly orderEvent: OrderEvent | null
  readonly told: TimelineKind | null
}

/**
 * Reckons what news of a payment means for its invoice. `refused` when the news speaks of another currency:
 * nothing may change then. Amounts in `news` are cumulative, so order and repetition of events do not matter.
 */
export function settle(
  invoice: OpenInvoice,
  attempt: KnownAttempt,
  news: PaymentNews,
): Settlement | "refused" {
  const { currency } = invoice.total
  if (news.received.currency !== currency || attempt.amount.currency !== currency) return "refused"

  const status = betterWord(attempt.status, news.status)
  const more = Math.max(0, news.received.minor - attempt.received.minor)
  const movement = more > 0 ? money(more, currency) : null
  const invoiceReceived = money(invoice.received.minor + more, currency)
  const wasOver = Math.max(0, invoice.received.minor - invoice.total.minor)
  const isOver = Math.max(0, invoiceReceived.minor - invoice.total.minor)

  return {
    attempt: { status, received: money(attempt.received.minor + more, currency) },
    movement,
    surplus: money(isOver - wasOver, currency),
    invoiceReceived,
    ...consequence(invoice, invoiceReceived, { before: attempt.status, now: status, moved: more > 0 }),
  }
}

function consequence(
  invoice: OpenInvoice,
  received: Money,
  attempt: { before: PaymentStatus; now: PaymentStatus; moved: boolean },
): Pick<Settlement, "orderEvent" | "told"> {
  const wasPaid = invoice.received.minor >= invoice.total.minor
  const isPaid = received.minor >= invoice.total.minor
  if (isPaid && !wasPaid) return { orderEvent: "paid", told: "paid" }
  if (attempt.moved) {
    return isPaid ? { orderEvent: null, told: "overpaid" } : { orderEvent: "partlyPaid", told: "partly-paid" }
  }
  if (attempt.before === attempt.now) return { orderEvent: null, told: null }
  return { orderEvent: null, told: toldOf[attempt.now] }
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

/** What is still to be paid; zero when enough has come. */
export function outstanding(invoice: OpenInvoice): Money {
  const left = minus(invoice.total, invoice.received)
  return left.minor > 0 ? left : money(0, left.currency)
}
