import { data } from "react-router"
import { watchOrder } from "~/flows/watch-order.server"
import { neverStored } from "~/middleware/caching.server"
import { servicesContext } from "~/services.server"
import { sessionContext } from "~/session.server"
import type { Route } from "./+types/order-status"

export const middleware: Route.MiddlewareFunction[] = [neverStored]

/** What the waiting page polls: a mark that changes whenever something has happened to this browser's order. */
export async function loader({ context }: Route.LoaderArgs) {
  const { orderId } = context.get(sessionContext)
  const watched = orderId
    ? await watchOrder(context.get(servicesContext), orderId, { returned: false })
    : null
  if (!watched) throw data(null, { status: 404 })
  return Response.json({ status: watched.order.status, mark: watched.mark })
}
