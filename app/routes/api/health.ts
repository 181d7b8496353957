import { servicesContext } from "~/context/services.server"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { rejection } from "~/middleware/rejected-request.server"
import type { Route } from "./+types/health"

export const middleware: Route.MiddlewareFunction[] = [rejection, allowMethods("GET", "HEAD")]

/** Readiness for load balancers and start scripts: 200 while the database responds. */
export async function loader({ context }: Route.LoaderArgs) {
  const healthy = await context.get(servicesContext).healthy()
  return Response.json({ status: healthy ? "ok" : "database unavailable" }, { status: healthy ? 200 : 503 })
}
