import type { MiddlewareFunction } from "react-router"
import { routeContext } from "~/context/request.server"

/** Records the matched route pattern for metrics: patterns are few, whatever URLs are requested. */
export const matchedRoute: MiddlewareFunction<Response> = ({ pattern, context }) => {
  context.set(routeContext, `/${pattern}`)
}
