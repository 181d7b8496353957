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
  "credited",
  "part-credited",
  "credit-used",
  "credit-returned",
  "payment-failed",
  "payment-expired",
  "refunded",
  "late",
  "provisioning-delayed",
  "provisioned",
  "cancelled",
  "expired",
  "flagged",
  "released",
  "refused",
  "requoted",
  "gateway-changed",
  "restarted",
  "recreated",
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

/** The timeline as the buyer may have it: references are for the operator, and never reach a browser. */
export function withoutReferences(timeline: readonly TimelineEvent[]): readonly TimelineEvent[] {
  return timeline.map((event) => ({ ...event, reference: null }))
}

/** Setting up has failed and is tried again, for the first time or since the line was to be made anew. */
export function isDelayed(timeline: readonly TimelineEvent[]): boolean {
  const decisive = timeline.filter(({ kind }) => decisiveKinds.includes(kind))
  return decisive.at(-1)?.kind === "provisioning-delayed"
}

const decisiveKinds: readonly TimelineKind[] = ["provisioning-delayed", "provisioned", "recreated"]
