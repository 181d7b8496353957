import type { MiddlewareFunction } from "react-router"
import { routeContext } from "~/context/request.server"

/** Notes what is asked for by the router's own name, for whoever counts: there are few, whatever people type. */
export const matchedRoute: MiddlewareFunction<Response> = ({ pattern, context }) => {
  context.set(routeContext, `/${pattern}`)
}
