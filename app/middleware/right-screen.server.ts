import type { MiddlewareFunction } from "react-router"
import { rightScreen, type Screen } from "~/domain/order-status"
import { localeContext } from "~/locale.server"
import { servicesContext } from "~/services.server"
import { sessionContext } from "~/session.server"
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
    const { orderId } = context.get(sessionContext)
    const order = orderId ? await context.get(servicesContext).billing.order(orderId) : null
    const right = rightScreen(screen, order?.status ?? null)
    if (right) throw divert(context.get(localeContext), pathOf[right])
  }
}
