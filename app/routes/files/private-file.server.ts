import type { MiddlewareFunction } from "react-router"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { noStore } from "~/middleware/cache-control.server"
import { endedSession } from "~/middleware/customers/ended-session.server"
import { session } from "~/middleware/customers/session.server"
import { knownPrefix } from "~/middleware/locale/known-prefix.server"
import { pathLocale } from "~/middleware/locale/path-locale.server"
import { rejection } from "~/middleware/rejected-request.server"

/** Middleware of a file that only its owner downloads: without the layout of the pages, it has their session itself. */
export const privateFile: MiddlewareFunction<Response>[] = [
  noStore,
  session,
  pathLocale,
  knownPrefix,
  rejection,
  endedSession,
  allowMethods("GET", "HEAD"),
]
