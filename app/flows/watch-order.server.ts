import type { Attempt } from "~/billing/till"
import { hostOf } from "~/domain/host"
import type { Order } from "~/domain/order"
import { payable } from "~/domain/order-status"
import type { TimelineEvent } from "~/domain/timeline"
import type { Services } from "~/services.server"
import { askAboutOrder } from "./ask-gateway.server"

export type Watched = {
  readonly order: Order
  readonly timeline: readonly TimelineEvent[]
  /** Where to pay; null when nothing can be paid any more, or the payment could not be opened yet. */
  readonly pay: { readonly url: string; readonly host: string } | null
  readonly mark: string
}

/**
 * How an order stands, after asking the gateway when its last word is old. `returned`: the buyer has just come
 * back from the gateway. Null: no such order.
 */
export async function watchOrder(
  services: Services,
  orderId: string,
  { returned }: { returned: boolean },
): Promise<Watched | null> {
  await askAboutOrder(services, orderId, returned)
  const [order, timeline, attempt] = await Promise.all([
    services.billing.order(orderId),
    services.billing.timeline(orderId),
    services.till.latestAttempt(orderId),
  ])
  return (
    order && {
      order,
      timeline,
      mark: markOf(order, timeline),
      pay: payable.includes(order.status) ? linkOf(attempt) : null,
    }
  )
}

function linkOf(attempt: Attempt | null): Watched["pay"] {
  return attempt?.url ? { url: attempt.url, host: hostOf(attempt.url) } : null
}

/** Changes whenever something has happened to an order: what an open page compares. */
export function markOf(order: Order, timeline: readonly TimelineEvent[]): string {
  return `${order.status}.${timeline.length}`
}
