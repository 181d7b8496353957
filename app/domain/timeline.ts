import type { Instant } from "./calendar"
import type { Money } from "./money"

/** Everything that can happen to an order, in the words of its timeline (design, section 5). */
export const timelineKinds = [
  "placed",
  "handed-off",
  "seen",
  "partly-paid",
  "paid",
  "overpaid",
  "payment-failed",
  "payment-expired",
  "refunded",
  "late",
  "provisioning-delayed",
  "provisioned",
  "cancelled",
  "expired",
] as const
export type TimelineKind = (typeof timelineKinds)[number]

/** One thing that happened: never changed, never taken back. The buyer and the operator read the same list. */
export type TimelineEvent = {
  readonly kind: TimelineKind
  readonly at: Instant
  readonly amount: Money | null
  /** A gateway's name, a transaction, a reason: for the operator; never a secret. */
  readonly reference: string | null
}
