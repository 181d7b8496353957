import type { IncomingMessage, ServerResponse } from "node:http"
import type { RequestContext } from "~/context/request.server"
import { BASE } from "~/domain/base-path"

/** Logs method, path, status and duration. Without the query, which may hold an e-mail or a token. */
export function logWhenDone(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { log }: Pick<RequestContext, "log">,
): void {
  const { method } = incoming
  const path = (incoming.url ?? "/").split("?", 1)[0]
  const start = performance.now()
  outgoing.once("close", () => {
    const ms = Math.round((performance.now() - start) * 10) / 10
    const details = { method, path, status: outgoing.statusCode, ms }
    const aborted = !outgoing.writableFinished || undefined
    // Scripts and fonts would add a dozen lines for each page.
    log[path?.startsWith(`${BASE}/assets/`) ? "debug" : "info"]({ ...details, aborted }, "request completed")
  })
}
