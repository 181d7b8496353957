import type { MiddlewareFunction } from "react-router"
import { currentOrderContext } from "~/context/current-order.server"
import { localeContext } from "~/context/locale.server"
import { type Services, servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import type { Order } from "~/domain/order"
import { type Screen, screenFor } from "~/domain/order-status"
import { type Journey, pathFor } from "~/domain/screen-paths"
import { accessibleServices } from "~/flows/services/accessible-services.server"
import { redirectTo } from "./redirect-to.server"

/** Keeps a visitor on the screen his order has reached, wherever the link came from. */
export function redirections(screen: Screen, way: Journey = "viewer"): MiddlewareFunction<Response> {
  return async ({ request, context }) => {
    const session = context.get(sessionContext)
    const services = context.get(servicesContext)
    const order = session.orderId ? await services.billing.order(session.orderId) : null
    // What is sent may change it before the page is made.
    if (request.method === "GET") context.set(currentOrderContext, order)
    const right = pathFor({ screen, way }, order)
    if (right === null || (screen === "success" && (await hasSomething(services, session, order)))) return
    throw redirectTo(context.get(localeContext), right)
  }
}

/**
 * What somebody has already can be looked at whatever becomes of the order in hand: once it is asked for by name, or
 * when that order asks for nothing more.
 */
async function hasSomething(
  services: Services,
  session: CheckoutSession,
  order: Order | null,
): Promise<boolean> {
  const inReach = await accessibleServices(services, session)
  const named = inReach.some(({ id }) => id === session.serviceId)
  const asksForNothing = screenFor("success", order?.status ?? null) === "checkout"
  return named || (asksForNothing && inReach.length > 0)
}
