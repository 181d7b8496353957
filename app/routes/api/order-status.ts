import { data } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { watchOrder } from "~/flows/payments/get-order-progress.server"
import { showAccess } from "~/flows/services/show-access.server"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { neverStored } from "~/middleware/cache-control.server"
import type { Route } from "./+types/order-status"

export const middleware: Route.MiddlewareFunction[] = [neverStored, allowMethods("GET", "HEAD")]

/** What an open page polls: a mark that changes whenever something has happened to what it shows. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const serviceId = url.searchParams.get("serviceid")
  const shown = serviceId
    ? await showAccess(services, { ...session, serviceId })
    : session.orderId && (await watchOrder(services, session.orderId))
  if (!shown) throw data(null, { status: 404 })
  return Response.json({ status: shown.order?.status ?? null, mark: shown.mark })
}
