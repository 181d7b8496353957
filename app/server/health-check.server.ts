import type { IncomingMessage, ServerResponse } from "node:http"
import { BASE } from "~/domain/base-path"
import { SECOND } from "~/domain/calendar"

const PATH = `${BASE}/api/health`

/** How long one response serves further requests. */
const FRESH = SECOND / 2

type Health = { readonly response: Response; readonly route: string }
type HealthResponse = {
  readonly status: number
  readonly type: string
  readonly body: Buffer
  readonly route: string
}

/** GET or HEAD only: the route answers other methods with 405. */
export function isHealthCheck({ method, url = "/" }: IncomingMessage): boolean {
  return (method === "GET" || method === "HEAD") && url.split("?", 1)[0] === PATH
}

/**
 * Serves the readiness check ahead of the queue, so that load balancers get an answer under load. One response serves
 * all requests that arrive while it is computed and for `FRESH` after, so a flood of checks costs one. A failed check is
 * not cached. `handle` runs the route. Returns the route's name.
 */
export function healthChecks<Facts>(
  handle: (request: Request, requestContext: Facts) => Promise<Health>,
  origin: string,
) {
  let latest: { readonly answer: Promise<HealthResponse>; readonly at: number } | null = null

  function answerOf(requestContext: Facts): Promise<HealthResponse> {
    const at = performance.now()
    if (latest && at - latest.at < FRESH) return latest.answer
    const made = { answer: read(handle(new Request(origin + PATH), requestContext)), at }
    latest = made
    made.answer.catch(() => {
      if (latest === made) latest = null
    })
    return made.answer
  }

  return async (
    { method }: IncomingMessage,
    outgoing: ServerResponse,
    requestContext: Facts,
  ): Promise<string> => {
    const { route, status, type, body } = await answerOf(requestContext)
    outgoing.writeHead(status, { "content-type": type, "content-length": body.length })
    outgoing.end(method === "HEAD" ? undefined : body)
    return route
  }
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
