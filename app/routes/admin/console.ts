import { allowMethods } from "~/middleware/allowed-methods.server"
import { noStore } from "~/middleware/cache-control.server"
import { consoleExists } from "~/middleware/console.server"
import { rejection } from "~/middleware/rejected-request.server"
import type { Route } from "./+types/console"

/** What every page of the console does before its own guards. */
export const middleware: Route.MiddlewareFunction[] = [
  noStore,
  consoleExists,
  rejection,
  allowMethods("GET", "HEAD", "POST"),
]
