import type { Instant } from "./calendar"
import type { Money } from "./money"

/**
 * What a provider can say of one payment, from least to most final. A later word never takes back a
 * better one: `expired` after `paid` changes nothing (design, section 5).
 */
const rank = {
  pending: 0,
  failed: 1,
  expired: 1,
  processing: 2,
  "partially-paid": 3,
  paid: 4,
  refunded: 5,
} as const

export type PaymentStatus = keyof typeof rank
export const paymentStatuses = Object.keys(rank) as [PaymentStatus, ...PaymentStatus[]]

/** The better of what was known and what is said now. */
export function mostFinalStatus(known: PaymentStatus, said: PaymentStatus): PaymentStatus {
  return rank[said] >= rank[known] ? said : known
}

/** Attempts whose provider may still have news of its own accord. */
export const unsettledStatuses: readonly PaymentStatus[] = ["pending", "processing", "partially-paid"]

/**
 * Why a report that a gateway has signed is not booked. `currency-mismatch`: it speaks of another currency than was
 * asked for. `unknown-attempt`: no attempt of ours has the name in it. `unknown-payment`: asked about the payment it
 * names, the provider does not know it, or knows it as another attempt's. `unreadable`: it says what nobody understands.
 */
export const unappliedReasons = [
  "currency-mismatch",
  "unknown-attempt",
  "unknown-payment",
  "unreadable",
] as const
export type UnappliedReason = (typeof unappliedReasons)[number]

/** An attempt to pay, as far as it decides whether money can still be paid there. */
export type OpenPayment = {
  readonly status: PaymentStatus
  readonly amount: Money
  readonly received: Money
  /** When the provider takes no more money for it; null where it has not said so. */
  readonly endsAt: Instant | null
}

/**
 * Whether a payment still takes exactly what is due. One that has brought part of its amount does only where the
 * gateway takes top-ups, and one over another amount would bring too much or too little. What is on its way is waited
 * for: nobody is asked to pay it again.
 */
export function takesPayment(
  { status, amount, received, endsAt }: OpenPayment,
  { due, takesTopUps, now }: { due: Money; takesTopUps: boolean; now: Instant },
): boolean {
  if (status === "processing") return true
  if (!unsettledStatuses.includes(status) || (endsAt !== null && now >= endsAt)) return false
  return amount.minor - received.minor === due.minor && (received.minor === 0 || takesTopUps)
}

/** What a gateway tells of one payment, in our words. */
export type PaymentUpdate = {
  /** Unique per piece of news at this gateway: the same key twice is the same news. */
  readonly eventKey: string
  /** Our own name for the attempt, as it was sent to the provider. */
  readonly attemptId: string
  readonly status: PaymentStatus
  /**
   * All that has been received and confirmed for this payment so far, not what came last; a refund does not lower it.
   * Only where the status is `refunded` and `refunded` is absent it may be what is left.
   */
  readonly received: Money
  /** All that has been refunded so far, where the provider names it. */
  readonly refunded?: Money | undefined
  /** The provider's name for the transfer, for the ledger. */
  readonly transactionId: string | null
  /** The provider takes no more money for it, though only part of its amount has come. */
  readonly ended?: boolean
}
