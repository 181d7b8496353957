import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { isResellerPlan } from "~/domain/orders/order"
import { EXISTING_ACCOUNT, pathFor, pathOf } from "~/domain/orders/screen-paths"
import { accessibleServices, currentOrder } from "~/flows/services/accessible-services.server"
import { redirectTo } from "../redirect-to.server"

/**
 * Admits customers with a paid reseller service in this session or account. Others are redirected to their open payment
 * or to the reseller plans.
 */
export const resellerSuccess: MiddlewareFunction<Response> = async ({ context }) => {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const accessible = await accessibleServices(services, session)
  if (accessible.some(({ kind }) => kind === "reseller")) return
  const order = await currentOrder(services, session)
  const resellerOrder = order && isResellerPlan(order) ? order : null
  const right = pathFor({ screen: "waiting", journey: "reseller" }, resellerOrder)
  // Who comes here without a session has an account, more likely than not.
  const isReturn = session.customer === null && session.orderId === null
  const query = isReturn ? EXISTING_ACCOUNT : undefined
  throw redirectTo(context.get(localeContext), right ?? pathOf.reseller.waiting, query)
}
