import type { Instant } from "../calendar"
import type { Money } from "../money/money"
import type { CoinReference } from "./coin-reference"

/**
 * Payment statuses from least to most final. A less final status never overrides a more final one: `expired` after
 * `paid` changes nothing (specification, Payments). What was only seen may still fail or expire, and what expired may still
 * be seen: of these three the last report counts, so that no buyer waits for money that will not come.
 */
const rank = {
  pending: 0,
  failed: 1,
  expired: 1,
  processing: 1,
  "partially-paid": 2,
  paid: 3,
  refunded: 4,
} as const

export type PaymentStatus = keyof typeof rank
export const paymentStatuses = Object.keys(rank) as [PaymentStatus, ...PaymentStatus[]]

/** The more final of two statuses; of two that are equally final, the later one. */
export function mostFinalStatus(known: PaymentStatus, update: PaymentStatus): PaymentStatus {
  return rank[update] >= rank[known] ? update : known
}

/** Statuses of payments that are waited for. */
export const unsettledStatuses: readonly PaymentStatus[] = ["pending", "processing", "partially-paid"]

/**
 * Statuses of payments that nobody waits for any more. Providers still report one that is made late, and the shop accepts it
 * (`LATE_PAYMENT_GRACE`).
 */
export const endedStatuses: readonly PaymentStatus[] = ["failed", "expired"]

/**
 * Why a signed payment update is not applied. `currency-mismatch`: another currency than requested. `unknown-attempt`: no
 * attempt has its id. `unknown-payment`: the provider does not know the payment, or knows it for another attempt.
 * `unreadable`: it cannot be parsed.
 */
export const unappliedReasons = [
  "currency-mismatch",
  "unknown-attempt",
  "unknown-payment",
  "unreadable",
] as const
export type UnappliedReason = (typeof unappliedReasons)[number]

/** The fields of an attempt that decide whether it still accepts money. */
export type OpenPayment = {
  readonly status: PaymentStatus
  readonly amount: Money
  readonly received: Money
  /** When the provider stops accepting money; null if unknown. */
  readonly endsAt: Instant | null
}

/**
 * Whether an attempt still accepts exactly the amount due. A partially paid one does only if the gateway supports top-ups;
 * one for another amount does not. An unconfirmed payment counts as accepted: the buyer must not pay it again.
 */
export function takesPayment(
  { status, amount, received, endsAt }: OpenPayment,
  { due, takesTopUps, now }: { due: Money; takesTopUps: boolean; now: Instant },
): boolean {
  if (status === "processing") return true
  if (!unsettledStatuses.includes(status) || (endsAt !== null && now >= endsAt)) return false
  return amount.minor - received.minor === due.minor && (received.minor === 0 || takesTopUps)
}

/** Whether the time for a payment has run out: what was sent at the last minute may still arrive, unlike that of a failed one. */
export function hasRunOut({ status, endsAt }: Pick<OpenPayment, "status" | "endsAt">, now: Instant): boolean {
  return status === "expired" || (unsettledStatuses.includes(status) && endsAt !== null && now >= endsAt)
}

/** Normalized status report of a gateway for one payment. */
export type PaymentUpdate = {
  /** Unique per event at this gateway: deduplicates repeated updates. */
  readonly eventKey: string
  /**
   * The provider was asked for it: its present state, whose status counts even if it was reported before. A callback may be an
   * old one that arrives late.
   */
  readonly isFetched?: boolean
  /** Our id of the attempt, as sent to the provider. */
  readonly attemptId: string
  readonly status: PaymentStatus
  /**
   * Cumulative confirmed amount of this payment; a refund does not lower it. If the status is `refunded` and `refunded`
   * is missing, it may be the remainder.
   */
  readonly received: Money
  /**
   * `received` is what the whole invoice has received, by any of its payments: the settlement subtracts the other attempts'
   * (`updateOfAttempt`). The status is then `paid` once the invoice is.
   */
  readonly ofInvoice?: boolean
  /** Cumulative refunded amount, if the provider reports it. */
  readonly refunded?: Money | undefined
  /** The provider's transaction id, for the ledger. */
  readonly transactionId: string | null
  /** The provider accepts no more money although only part of the amount was received. */
  readonly ended?: boolean
  /** Addresses and transactions of the coin's network that the provider has named so far. */
  readonly coinReferences?: readonly CoinReference[]
}
