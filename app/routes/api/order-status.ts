import { type LoggedServices, servicesContext } from "~/context/services.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import { getOrderVersion } from "~/flows/payments/get-order-progress.server"
import { showAccess } from "~/flows/services/show-access.server"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { noStore } from "~/middleware/cache-control.server"
import { endedSession } from "~/middleware/customers/ended-session.server"
import { session } from "~/middleware/customers/session.server"
import { rejection } from "~/middleware/rejected-request.server"
import type { OrderStatusJson } from "~/ui/waiting/fetch-order-version"
import type { Route } from "./+types/order-status"

export const middleware: Route.MiddlewareFunction[] = [
  noStore,
  session,
  rejection,
  endedSession,
  allowMethods("GET", "HEAD"),
]

/** Polled by open pages: a version that changes whenever the shown order changes. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const serviceId = url.searchParams.get("serviceid")
  const shown = serviceId
    ? await serviceVersion(services, { ...session, serviceId })
    : await orderVersion(services, session)
  if (!shown) throw new Response(null, { status: 404 })
  const status: OrderStatusJson = { status: shown.status, mark: shown.version }
  return Response.json(status)
}

async function orderVersion(services: LoggedServices, { orderId }: CheckoutSession) {
  return orderId ? getOrderVersion(services, orderId) : null
}

async function serviceVersion(services: LoggedServices, looking: Parameters<typeof showAccess>[1]) {
  const access = await showAccess(services, looking)
  return access && { status: access.order?.status ?? null, version: access.version }
}
