import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { pathOf } from "~/domain/orders/screen-paths"
import { redirectTo } from "../redirect-to.server"

/**
 * Admits an authenticated reseller whose service is Active (specification, Identity). The session holds the service that
 * the link's `serviceid` named; the parameter itself is dropped from the URL.
 */
export const resellerUpsell: MiddlewareFunction<Response> = async ({ context }) => {
  const { customer, serviceId } = context.get(sessionContext)
  const { billing } = context.get(servicesContext)
  const own = customer && serviceId ? await billing.servicesOf(customer) : []
  const active = own.some(
    ({ id, kind, status }) => id === serviceId && kind === "reseller" && status === "Active",
  )
  if (!active) throw redirectTo(context.get(localeContext), pathOf.reseller.checkout)
}
