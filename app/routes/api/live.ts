import { allowMethods } from "~/middleware/allowed-methods.server"
import { rejection } from "~/middleware/rejected-request.server"
import type { Route } from "./+types/live"

export const middleware: Route.MiddlewareFunction[] = [rejection, allowMethods("GET", "HEAD")]

/** Liveness for supervisors that restart a process: 200 while it responds, whatever becomes of the database. */
export function loader() {
  return Response.json({ status: "ok" })
}
