import type { IncomingMessage, ServerResponse } from "node:http"
import type { Logger } from "pino"
import { unavailableResponse, wantsPage } from "./html-response.server"
import { type Exchange, errorResponse, type SandboxResponse, send } from "./http.server"

export type Route = {
  readonly method: "GET" | "POST"
  /** Named groups become `params`. HEAD uses the GET route. */
  readonly path: RegExp
  readonly handle: (exchange: Exchange) => SandboxResponse | Promise<SandboxResponse>
}

/** Dispatches a request to the first matching route; 404 if no path matches, 405 if only the method differs. */
export function routeRequest(routes: readonly Route[], log: Logger) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    handleRequest(routes, request, response)
      .catch((error: unknown) => {
        log.error({ err: error, method: request.method }, "sandbox error")
        return broken(request)
      })
      .then((result) => send({ request, response }, result))
      // The client has disconnected, so no response can be sent.
      .catch(() => response.destroy())
  }
}

async function handleRequest(routes: readonly Route[], request: IncomingMessage, response: ServerResponse) {
  const path = (request.url ?? "/").split("?", 1)[0] ?? "/"
  const method = request.method === "HEAD" ? "GET" : request.method
  const matching = routes.filter((route) => route.path.test(path))
  const route = matching.find((it) => it.method === method)
  if (route) return route.handle({ request, response, params: { ...route.path.exec(path)?.groups } })
  if (matching.length === 0) return nowhere(request)
  const allow = matching.map((it) => it.method).join(", ")
  return errorResponse(405, "method_not_allowed", `Use ${allow}.`, { allow })
}

async function nowhere(request: IncomingMessage): Promise<SandboxResponse> {
  if (wantsPage(request))
    return unavailableResponse(request, { status: 404, reason: "nowhere", protocol: null })
  return errorResponse(404, "not_found", "Path not found.")
}

async function broken(request: IncomingMessage): Promise<SandboxResponse> {
  if (wantsPage(request))
    return unavailableResponse(request, { status: 500, reason: "broken", protocol: null })
  return errorResponse(500, "internal", "Internal error.")
}
