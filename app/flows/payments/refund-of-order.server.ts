import type { Services } from "~/context/services.server"
import type { Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { refundedOf } from "~/domain/orders/refunded-of-order"
import { outstanding } from "~/domain/orders/settlement"
import type { TimelineEvent } from "~/domain/orders/timeline"

type PaidOrder = {
  readonly order: Order
  /** Reads the order's timeline. */
  readonly timeline: (orderId: string) => Promise<readonly TimelineEvent[]>
}

/**
 * What has been paid back of a paid order; null: nothing (`refundedOf`). A paid order of which nothing is missing has been refunded
 * nothing, and its timeline is not read. Throws `BillingError`.
 */
export async function refundOfOrder(
  { billing }: Pick<Services, "billing">,
  { order, timeline }: PaidOrder,
): Promise<Money | null> {
  if (outstanding(order).minor === 0) return null
  return refundedOf(order, await timeline(order.id), await billing.netPaidOf(order))
}
