import type { MiddlewareFunction } from "react-router"
import { rightScreen, type Screen } from "~/domain/order-status"
import { servicesInReach } from "~/flows/services-in-reach.server"
import { localeContext } from "~/locale.server"
import { type Services, servicesContext } from "~/services.server"
import { type CheckoutSession, sessionContext } from "~/session.server"
import { divert } from "./divert.server"

const pathOf: Record<Screen, string> = {
  checkout: "/",
  creatingOrder: "/creatingOrder",
  waiting: "/waiting",
  success: "/success",
}

/** Keeps a visitor on the screen his order has reached, wherever the link came from. */
export function rightScreenFor(screen: Screen): MiddlewareFunction<Response> {
  return async ({ context }) => {
    const session = context.get(sessionContext)
    const services = context.get(servicesContext)
    const order = session.orderId ? await services.billing.order(session.orderId) : null
    const right = rightScreen(screen, order?.status ?? null)
    if (!right || (screen === "success" && (await hasSomething(services, session, right)))) return
    throw divert(context.get(localeContext), pathOf[right])
  }
}

/**
 * What somebody has already can be looked at whatever becomes of the order in hand: once it is asked for by name, or
 * when that order asks for nothing more.
 */
async function hasSomething(services: Services, session: CheckoutSession, right: Screen): Promise<boolean> {
  const inReach = await servicesInReach(services, session)
  const named = inReach.some(({ id }) => id === session.serviceId)
  return named || (right === "checkout" && inReach.length > 0)
}
