import { type Money, money } from "../money/money"
import type { Order } from "./order"
import { refundedAmount, type TimelineEvent } from "./timeline"

/**
 * What has been paid back of a paid order since it was paid; null: nothing. What went back before, of a part payment, was paid again; and
 * what was paid too much, or has become account credit for another reason, is none of it. `netPaid`: what the order is paid with still
 * (`OrderRepository.netPaidOf`).
 */
export function refundedOf(
  { kind, total, credited }: Pick<Order, "kind" | "total" | "credited">,
  timeline: readonly TimelineEvent[],
  netPaid: Money,
): Money | null {
  const paid = timeline.findIndex(({ kind }) => kind === "paid")
  const refunded = refundedAmount(timeline.slice(Math.max(0, paid)))
  // All that was paid for a top-up is account credit, and a refund takes it back.
  const missing = total.minor - (kind === "topup" ? credited : netPaid).minor
  const minor = Math.min(missing, refunded)
  return minor > 0 ? money(minor, total.currency) : null
}
