import type { MiddlewareFunction } from "react-router"
import { allowMethods } from "~/middleware/allowed-methods.server"
import { noStore } from "~/middleware/cache-control.server"
import { endedSession } from "~/middleware/ended-session.server"
import { knownPrefix } from "~/middleware/known-prefix.server"
import { pathLocale } from "~/middleware/path-locale.server"
import { rejection } from "~/middleware/rejected-request.server"
import { session } from "~/middleware/session.server"

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
