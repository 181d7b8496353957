import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { creditEarnedBy, type Order } from "~/domain/order"
import { ORDER_CANCELLED } from "~/domain/screen-paths"
import { screenTexts } from "~/i18n/load-screen-texts.server"

/** What has become of the money for a cancelled order: there was none, it is account credit, it is recorded with the order. */
const outcomes = ["unpaid", "credited", "recorded"] as const

function outcomeOf(order: Pick<Order, "received" | "credited">): (typeof outcomes)[number] {
  if (order.received.minor <= 0) return "unpaid"
  return creditEarnedBy(order).minor > 0 ? "credited" : "recorded"
}

/** The URL of a page that says that the order was cancelled; null: the browser knew none, and nothing is said. */
export function saysCancelled(href: string, order: Pick<Order, "received" | "credited"> | null): string {
  if (!order) return href
  return `${href}${href.includes("?") ? "&" : "?"}${ORDER_CANCELLED}=${outcomeOf(order)}`
}

/** What a page says of the order that was cancelled; null: nothing. */
export function cancelledText(
  context: Readonly<RouterContextProvider>,
  query: URLSearchParams,
): string | null {
  const outcome = outcomes.find((it) => it === query.get(ORDER_CANCELLED))
  return outcome ? screenTexts(context.get(localeContext).code)(`notice.cancelled.${outcome}`) : null
}
