import { data } from "react-router"
import { showAccess } from "~/flows/show-access.server"
import { watchOrder } from "~/flows/watch-order.server"
import { neverStored } from "~/middleware/caching.server"
import { servicesContext } from "~/services.server"
import { sessionContext } from "~/session.server"
import type { Route } from "./+types/order-status"

export const middleware: Route.MiddlewareFunction[] = [neverStored]

/** What an open page polls: a mark that changes whenever something has happened to what it shows. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const serviceId = url.searchParams.get("serviceid")
  const shown = serviceId
    ? await showAccess(services, { ...session, serviceId })
    : session.orderId && (await watchOrder(services, session.orderId, { returned: false }))
  if (!shown) throw data(null, { status: 404 })
  return Response.json({ status: shown.order?.status ?? null, mark: shown.mark })
}
