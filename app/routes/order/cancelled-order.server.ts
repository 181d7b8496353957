import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { cancelledOutcome, cancelledOutcomes, type Order } from "~/domain/orders/order"
import { CANCELLED_MEANWHILE, ORDER_CANCELLED } from "~/domain/orders/screen-paths"
import { currentOrder } from "~/flows/services/accessible-services.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"

/** The URL of a page that says that the order was cancelled; null: the browser knew none, and nothing is said. */
export function saysCancelled(href: string, order: Pick<Order, "received" | "credited"> | null): string {
  if (!order) return href
  return `${href}${href.includes("?") ? "&" : "?"}${ORDER_CANCELLED}=${cancelledOutcome(order)}`
}

/**
 * What a page says of the order that was cancelled; null: nothing. Its URL stays in the history: who has ordered again since, and goes
 * back, must not take the new order for the one that is cancelled.
 */
export async function cancelledText(context: RouteContext, query: URLSearchParams): Promise<string | null> {
  const named = query.get(ORDER_CANCELLED)
  if (named === null || (await hasOrderedSince(context))) return null
  if (named === CANCELLED_MEANWHILE) return meanwhileText(context)
  const outcome = cancelledOutcomes.find((it) => it === named)
  return outcome ? screenTexts(context.get(localeContext).code)(`notice.cancelled.${outcome}`) : null
}

async function hasOrderedSince(context: RouteContext): Promise<boolean> {
  const order = await currentOrder(context.get(servicesContext), context.get(sessionContext))
  return order !== null && order.status !== "cancelled"
}

/** Of an order that its buyer has not cancelled, and has paid in part or may have paid. Who takes the payments decides about late ones. */
async function meanwhileText(context: RouteContext): Promise<string | null> {
  const order = await currentOrder(context.get(servicesContext), context.get(sessionContext))
  if (order === null) return null
  const t = screenTexts(context.get(localeContext).code)
  const { isCreditExternal, shop } = context.get(servicesContext)
  const contact = shop.links.support === null ? [] : [t("unpaid.tellOrder")]
  const late = isCreditExternal ? contact : [t("notice.cancelled.late")]
  const isRecorded = cancelledOutcome(order) === "recorded"
  const text = t(`notice.cancelled.${isRecorded ? "meanwhileRecorded" : "meanwhile"}`, { order: order.id })
  return [text, ...late].join(" ")
}
