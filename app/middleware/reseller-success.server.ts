import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { pathFor } from "~/domain/screen-paths"
import { accessibleServices } from "~/flows/services/accessible-services.server"
import { redirectTo } from "./redirect-to.server"

/**
 * For whoever has paid for a reseller plan, in this browser or under his account. Others are led to the payment they
 * still have to make, or to the plans (design, section 4).
 */
export const resellerSuccess: MiddlewareFunction<Response> = async ({ context }) => {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const inReach = await accessibleServices(services, session)
  if (inReach.some(({ kind }) => kind === "reseller")) return
  const order = session.orderId ? await services.billing.order(session.orderId) : null
  const his = order?.kind === "reseller" ? order : null
  const right = pathFor({ screen: "waiting", way: "reseller" }, his)
  throw redirectTo(context.get(localeContext), right ?? "/resellers/waiting")
}
