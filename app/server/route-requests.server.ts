import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router"

/** The name of the routes' folder, which begins each address of the console, too. A segment may be encoded, or in capitals. */
const MAY_BE_CONSOLE = /admin|%/i

/** Whether an address may be one of the operator's console. It surely is none if this is false. */
export function mayBeConsole(url: string): boolean {
  const query = url.indexOf("?")
  return MAY_BE_CONSOLE.test(query === -1 ? url : url.slice(0, query))
}

/**
 * Answers requests with React Router. The router compares an address with one route after the other, those with most segments first,
 * which are the console's: for a page of the checkout this took longer than its loader. So an address that is none of the
 * console's is compared with the other routes only.
 */
export function routeRequests(build: ServerBuild): RequestHandler {
  const all = createRequestHandler(build, "production")
  const checkout = createRequestHandler(withoutConsole(build), "production")
  return (request, context) => (mayBeConsole(request.url) ? all : checkout)(request, context)
}

/** A build without the console's pages, neither as routes nor in the manifest, from which each rendered page makes its routes. */
export function withoutConsole(build: ServerBuild): ServerBuild {
  return {
    ...build,
    routes: ofCheckout(build.routes),
    assets: { ...build.assets, routes: ofCheckout(build.assets.routes) },
  }
}

function ofCheckout<Route>(routes: Readonly<Record<string, Route>>): Record<string, Route> {
  return Object.fromEntries(Object.entries(routes).filter(([id]) => !id.startsWith("routes/admin/")))
}
