import { redirect } from "react-router"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext, updateSession } from "~/context/session.server"
import { choicesOf } from "~/domain/orders/choices"
import { createsService, creditEarnedBy, isFromCheckout, type Order } from "~/domain/orders/order"
import { orderPath, pathOf } from "~/domain/orders/screen-paths"
import { cancelUnpaidOrder } from "~/flows/payments/cancel-order.server"
import { isByRenewalLink, renewalLink } from "~/flows/services/renewal-link.server"
import { screenHref } from "../screen-href.server"
import { saysCancelled } from "./cancelled-order.server"

type Args = { context: RouteContext }

/**
 * Cancels the order and redirects to the checkout with the selection filled in. The order stays the current one: if its
 * payment arrives after all, the next page shows the purchase.
 */
export async function changeOrder({ context }: Args): Promise<Response> {
  const { orderId, choices } = context.get(sessionContext)
  const order = orderId ? await cancelUnpaidOrder(context.get(servicesContext), orderId) : null
  updateSession(context, { draft: null })
  if (order && !isFromCheckout(order)) return redirect(await serviceHref(order, { context }), 303)
  // In another browser than the ordering one, the selection is taken from the order.
  if (order && choices.plan === null) {
    updateSession(context, { choices: { ...choices, ...choicesOf(order) }, currency: order.total.currency })
  }
  return redirect(screenHref(context, orderPath("checkout", order)), 303)
}

/**
 * Cancels the order in favour of the selection that another tab sent meanwhile, and redirects to the checkout with that
 * one filled in. The order stays the current one, as with `changeOrder`.
 */
export async function orderAnother({ context }: Args): Promise<Response> {
  const { orderId, choices } = context.get(sessionContext)
  if (orderId) await cancelUnpaidOrder(context.get(servicesContext), orderId)
  updateSession(context, { draft: null })
  return redirect(screenHref(context, orderPath("checkout", choices)), 303)
}

/**
 * Cancels the order and removes it from the session (specification, Identity: cancelling clears all order fields). An order whose
 * partial payment became account credit stays, since it gives this browser access to that credit for its next order. The
 * buyer returns to the plans, or with an upsell or a renewal to the service.
 */
export async function abortOrder({ context }: Args): Promise<Response> {
  const { orderId: current } = context.get(sessionContext)
  const order = current ? await cancelUnpaidOrder(context.get(servicesContext), current) : null
  // Paid in the meantime, or a payment is pending: continue on the order's screen.
  if (order && order.status !== "cancelled")
    return redirect(screenHref(context, orderPath("waiting", order)), 303)
  const serviceIds = serviceIdsWithout(context.get(sessionContext), order)
  const orderId = order && creditEarnedBy(order).minor > 0 ? order.id : null
  updateSession(context, { orderId, draft: null, serviceIds })
  const back = order && !isFromCheckout(order) ? await serviceHref(order, { context }) : null
  return redirect(saysCancelled(back ?? screenHref(context, orderPath("checkout", order)), order), 303)
}

/** The session loses the service that only the order would have created. */
function serviceIdsWithout({ serviceIds }: Pick<CheckoutSession, "serviceIds">, order: Order | null) {
  return order && createsService(order) ? serviceIds.filter((id) => id !== order.serviceId) : serviceIds
}

/** The buyer has the service already: its page offers the upsell or the renewal again, or the link does that was used. */
async function serviceHref(order: Pick<Order, "kind" | "serviceId">, { context }: Args): Promise<string> {
  const services = context.get(servicesContext)
  const { serviceId } = order
  const link = (await isByRenewalLink(services, context.get(sessionContext), order))
    ? await renewalLink(services, serviceId)
    : null
  if (link !== null) return screenHref(context, link)
  updateSession(context, { serviceId })
  return screenHref(context, pathOf.viewer.success)
}
