import type { IncomingMessage, ServerResponse } from "node:http"
import { BASE } from "~/domain/base-path"
import { SECOND } from "~/domain/calendar"

const PATH = `${BASE}/api/health`

/** For so long an answer is given to others as well. */
const FRESH = SECOND / 2

type Health = { readonly response: Response; readonly route: string }
type HealthResponse = {
  readonly status: number
  readonly type: string
  readonly body: Buffer
  readonly route: string
}

/** By GET or HEAD: any other method is answered like a page, by 405. */
export function isHealthCheck({ method, url = "/" }: IncomingMessage): boolean {
  return (method === "GET" || method === "HEAD") && url.split("?", 1)[0] === PATH
}

/**
 * Answers whether the shop is well, ahead of everybody: load balancers ask from time to time. One answer serves all who
 * ask while it is made and shortly after, so whoever asks without end keeps no one from being served. One that fails is
 * made anew for the next. `ask`: the route's own answer. Answers the route.
 */
export function healthChecks<Facts>(
  ask: (request: Request, facts: Facts) => Promise<Health>,
  origin: string,
) {
  let latest: { readonly answer: Promise<HealthResponse>; readonly at: number } | null = null

  function answerOf(facts: Facts): Promise<HealthResponse> {
    const at = performance.now()
    if (latest && at - latest.at < FRESH) return latest.answer
    const made = { answer: read(ask(new Request(origin + PATH), facts)), at }
    latest = made
    made.answer.catch(() => {
      if (latest === made) latest = null
    })
    return made.answer
  }

  return async ({ method }: IncomingMessage, outgoing: ServerResponse, facts: Facts): Promise<string> => {
    const { route, status, type, body } = await answerOf(facts)
    outgoing.writeHead(status, { "content-type": type, "content-length": body.length })
    outgoing.end(method === "HEAD" ? undefined : body)
    return route
  }
}

async function read(asked: Promise<Health>): Promise<HealthResponse> {
  const { response, route } = await asked
  return {
    route,
    status: response.status,
    type: response.headers.get("content-type") ?? "text/plain",
    body: Buffer.from(await response.arrayBuffer()),
  }
}
