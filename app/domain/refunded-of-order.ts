import { type Money, money } from "./money"
import type { Order } from "./order"
import { outstanding } from "./settlement"
import { isMarkedPaid, refundedAmount, type TimelineEvent } from "./timeline"

/**
 * What has been paid back of a paid order since it was paid; null: nothing. What went back before, of a part payment, was paid again; and
 * what was paid too much, or has become account credit for another reason, is none of it.
 */
export function refundedOf(
  order: Pick<Order, "kind" | "total" | "received" | "credited">,
  timeline: readonly TimelineEvent[],
): Money | null {
  const paid = timeline.findIndex(({ kind }) => kind === "paid")
  const refunded = refundedAmount(timeline.slice(Math.max(0, paid)))
  // The ledger does not have what the operator has received elsewhere, and all that it has of a top-up has become account credit.
  const isElsewhere = order.kind === "topup" || isMarkedPaid(timeline)
  const most = isElsewhere ? order.total.minor : outstanding(order).minor
  const minor = Math.min(most, refunded)
  return minor > 0 ? money(minor, order.total.currency) : null
}
