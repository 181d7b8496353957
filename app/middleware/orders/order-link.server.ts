import { type MiddlewareFunction, redirect } from "react-router"
import { servicesContext } from "~/context/services.server"
import {
  type CheckoutSession,
  sessionContext,
  withAuthenticatedOrder,
  withOrder,
} from "~/context/session.server"
import { paidStatuses } from "~/domain/orders/order-status"
import { type LinkedOrder, orderOfLink } from "~/flows/services/order-of-link.server"
import { signInPage } from "../customers/sign-in-page.server"
import { pathWithout } from "../redirect-to.server"

/**
 * `?order=` of a link in a message selects the order's service, or resumes an unpaid order. A signed-out visitor whose
 * session does not know the order gets the sign-in screen at the same URL. A signed-in customer of another account sees
 * that account.
 */
export const orderLink: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const id = url.searchParams.get("order")
  if (id === null || request.method === "POST") return
  const session = context.get(sessionContext)
  const found = await orderOfLink(context.get(servicesContext), session, id)
  if (found) context.set(sessionContext, withLinked(session, found))
  else if (session.customer === null) throw signInPage(context, { reason: "order", status: 401 })
  throw redirect(pathWithout(url, ["order"]), 303)
}

/** A paid order is shown by its service, and does not replace the session's current order. */
function withLinked(session: CheckoutSession, { order, authenticated }: LinkedOrder): CheckoutSession {
  if (paidStatuses.includes(order.status)) return { ...session, serviceId: order.serviceId }
  if (order.id === session.orderId) return session
  return authenticated ? withAuthenticatedOrder(session, order) : withOrder(session, order)
}
