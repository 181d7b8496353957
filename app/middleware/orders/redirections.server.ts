import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { type Services, servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import { cancelledOutcome, type Order } from "~/domain/orders/order"
import { type Screen, screenFor } from "~/domain/orders/order-status"
import {
  ACCOUNT,
  CANCELLED_MEANWHILE,
  type Journey,
  ORDER_CANCELLED,
  ORDER_ELSEWHERE,
  ORDER_OPEN,
  pathFor,
  pathOf,
} from "~/domain/orders/screen-paths"
import { accessibleServices, currentOrder } from "~/flows/services/accessible-services.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { interstitial } from "../interstitial.server"
import { redirectTo } from "../redirect-to.server"

/**
 * Redirects to the one screen that belongs to the current order's status (`domain/orders/order-status.ts`). `?services` on the success
 * page shows existing services first, and `?account` the account, which needs no order. A signed-in customer without any is told
 * so: the checkout would look like a sign-in that failed.
 */
export function redirections(screen: Screen, journey: Journey = "viewer"): MiddlewareFunction<Response> {
  return async ({ request, url, context }) => {
    const session = context.get(sessionContext)
    const services = context.get(servicesContext)
    const order = await currentOrder(services, session)
    const right = pathFor({ screen, journey }, order)
    if (right === null || (screen === "success" && (await hasSomething(services, session, { order, url }))))
      return
    const isLooking = request.method !== "POST"
    const query =
      cancelledQuery(screen, order) ??
      (isLooking ? openQuery(screen, order) : undefined) ??
      queryAt(right, screen, session)
    throw (
      noService(screen, context, { session, order }) ?? redirectTo(context.get(localeContext), right, query)
    )
  }
}

/** Makes the page to which a buyer is led from the waiting page say that the order was cancelled: by somebody else, or in another tab. */
function cancelledQuery(from: Screen, order: Order | null) {
  if (from !== "waiting" || order?.status !== "cancelled") return undefined
  const outcome = cancelledOutcome(order)
  return `${ORDER_CANCELLED}=${outcome === "credited" ? outcome : CANCELLED_MEANWHILE}`
}

/** Makes the waiting page say why it is shown to who wanted to see the plans, such as by the logo. */
function openQuery(from: Screen, order: Order | null) {
  return from === "checkout" && order && screenFor("waiting", order.status) === null ? ORDER_OPEN : undefined
}

/**
 * Makes the checkout say how an order is found, to a visitor who may look for one that another browser has placed. Who has chosen a
 * plan here goes on with it, as after a cancelled order, and a signed-in customer sees what they have.
 */
function queryAt(path: string, from: Screen, { orderId, customer, choices }: CheckoutSession) {
  const isLed = from === "waiting" && path === pathOf.viewer.checkout
  const isNew = orderId === null && customer === null && choices.plan === null
  return isLed && isNew ? ORDER_ELSEWHERE : undefined
}

/** What a signed-in customer without order and service sees in place of the success page. */
function noService(
  screen: Screen,
  context: RouteContext,
  { session: { customer }, order }: { session: CheckoutSession; order: Order | null },
) {
  if (screen !== "success" || order !== null || customer === null) return null
  const t = screenTexts(context.get(localeContext).code)
  const note = t(context.get(servicesContext).shop.mailsOrders ? "notice.unpaidByMail" : "notice.unpaidHere")
  return interstitial({ kind: "no-service", email: customer.email, note }, 200)
}

/**
 * Whether `/success` may show an existing service whatever the current order's status: the session names the service,
 * the visitor asks for their services or account, or the order needs no further step.
 */
async function hasSomething(
  services: Pick<Services, "billing">,
  session: CheckoutSession,
  { order, url }: { order: Order | null; url: URL },
): Promise<boolean> {
  if (url.searchParams.has(ACCOUNT)) return true
  const accessible = await accessibleServices(services, session)
  const named = accessible.some(({ id }) => id === session.serviceId)
  const needsNoStep = screenFor("success", order?.status ?? null) === "checkout"
  const asks = url.searchParams.has("services")
  return named || ((asks || needsNoStep) && accessible.length > 0)
}
