import { data } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { getOrderProgress } from "~/flows/payments/get-order-progress.server"
import { showAccess } from "~/flows/services/show-access.server"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { noStore } from "~/middleware/cache-control.server"
import { endedSession } from "~/middleware/ended-session.server"
import { rejection } from "~/middleware/rejected-request.server"
import { session } from "~/middleware/session.server"
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
    ? await showAccess(services, { ...session, serviceId })
    : session.orderId && (await getOrderProgress(services, session.orderId))
  if (!shown) throw data(null, { status: 404 })
  const status: OrderStatusJson = { status: shown.order?.status ?? null, mark: shown.version }
  return Response.json(status)
}
