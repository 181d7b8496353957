import type { IncomingMessage, ServerResponse } from "node:http"
import { BASE } from "~/domain/base-path"
import { SECOND } from "~/domain/calendar"

/** Readiness and liveness. */
const PATHS: readonly string[] = [`${BASE}/api/health`, `${BASE}/api/live`]

/** How long one response serves further requests. */
const FRESH = SECOND / 2

type Health = { readonly response: Response; readonly route: string }
type HealthResponse = {
  readonly status: number
  readonly type: string
  readonly body: Buffer
  readonly route: string
}

/** GET or HEAD only: the routes answer other methods with 405. */
export function isHealthCheck({ method, url = "/" }: IncomingMessage): boolean {
  return (method === "GET" || method === "HEAD") && PATHS.includes(pathOf(url))
}

/**
 * Serves readiness and liveness ahead of the queue and for any Host, so that load balancers and supervisors get an
 * answer under load. One response serves all requests for its path that arrive within `FRESH` of the first, so a flood of checks costs
 * two a second. A failed check is not cached. `handle` runs the route. Returns the route's name.
 */
export function healthChecks<Facts>(
  handle: (request: Request, requestContext: Facts) => Promise<Health>,
  origin: string,
) {
  const latest = new Map<string, { readonly response: Promise<HealthResponse>; readonly at: number }>()

  function latestResponse(path: string, requestContext: Facts): Promise<HealthResponse> {
    const at = performance.now()
    const known = latest.get(path)
    if (known && at - known.at < FRESH) return known.response
    const made = { response: read(handle(new Request(origin + path), requestContext)), at }
    latest.set(path, made)
    made.response.catch(() => {
      if (latest.get(path) === made) latest.delete(path)
    })
    return made.response
  }

  return async (
    { method, url = "/" }: IncomingMessage,
    outgoing: ServerResponse,
    requestContext: Facts,
  ): Promise<string> => {
    const { route, status, type, body } = await latestResponse(pathOf(url), requestContext)
    outgoing.writeHead(status, { "content-type": type, "content-length": body.length })
    outgoing.end(method === "HEAD" ? undefined : body)
    return route
  }
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "/"
}

async function read(call: Promise<Health>): Promise<HealthResponse> {
  const { response, route } = await call
  return {
    route,
    status: response.status,
    type: response.headers.get("content-type") ?? "text/plain",
    body: Buffer.from(await response.arrayBuffer()),
  }
}
