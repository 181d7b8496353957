import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router"
import { BASE } from "~/domain/base-path"
import { locales, localPath } from "~/domain/locales"

type Routes = ServerBuild["routes"]

/** First segment of a path that has the language's prefix or none. */
const LOCALE = ":locale?"

/**
 * Answers requests with React Router. The router compares an address with one route after the other, twice for each request, which took
 * longer than the loader of a page. So an address that belongs to one route alone is compared with that route and its layouts. An
 * address with a parameter, and one that no route has, are compared with all routes.
 */
export function routeRequests(build: ServerBuild): RequestHandler {
  const all = createRequestHandler(build, "production")
  const routeAt = fixedAddresses(build.routes)
  const handlers = new Map<string, RequestHandler>()
  return (request, context) => {
    const id = routeAt.get(pathnameOf(request.url))
    if (id === undefined) return all(request, context)
    const handler = handlers.get(id) ?? createRequestHandler(onlyRoute(build, id), "production")
    handlers.set(id, handler)
    return handler(request, context)
  }
}

/** The path of a normalized URL, as it is written in it: letters of another case, or an encoded one, make another path. */
function pathnameOf(url: string): string {
  const from = url.indexOf("/", url.indexOf("//") + 2)
  const query = url.indexOf("?", from)
  return query === -1 ? url.slice(from) : url.slice(from, query)
}

/**
 * The paths of the routes without a parameter, each with the id of its route: in every language where its addresses have one, and with the
 * ending by which React Router's script asks for a page's data.
 */
export function fixedAddresses(routes: Routes): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>()
  for (const { id, path } of leavesOf(routes)) {
    for (const page of writtenPaths(path)) {
      addresses.set(page, id)
      addresses.set(page === `${BASE}/` ? `${BASE}/_root.data` : `${page}.data`, id)
    }
  }
  return addresses
}

/** The routes below which there is no other one, with the whole path of each. */
function leavesOf(routes: Routes): { id: string; path: string }[] {
  const all = Object.values(routes).flatMap((route) => route ?? [])
  const parents = new Set(all.map(({ parentId }) => parentId))
  return all
    .filter(({ id }) => !parents.has(id))
    .map(({ id }) => ({
      id,
      path: ancestry(routes, id)
        .flatMap((route) => route.path || [])
        .join("/"),
    }))
}

/** No path if one of the segments is a parameter. */
function writtenPaths(path: string): string[] {
  const [first, ...rest] = path.split("/")
  const isLocalized = first === LOCALE
  const fixed = isLocalized ? rest.join("/") : path
  if (/[:*?]/.test(fixed)) return []
  return isLocalized ? locales.map((locale) => BASE + localPath(locale, `/${fixed}`)) : [`${BASE}/${fixed}`]
}

/** A route with its layouts, the outermost first. */
function ancestry(routes: Routes, id: string | undefined): NonNullable<Routes[string]>[] {
  const route = id === undefined ? undefined : routes[id]
  return route ? [...ancestry(routes, route.parentId), route] : []
}

/** A build with one route and its layouts alone, as routes and in the manifest, from which each rendered page makes its routes. */
export function onlyRoute(build: ServerBuild, id: string): ServerBuild {
  const kept = new Set(ancestry(build.routes, id).map((route) => route.id))
  return {
    ...build,
    routes: picked(build.routes, kept),
    assets: { ...build.assets, routes: picked(build.assets.routes, kept) },
  }
}

function picked<Route>(
  routes: Readonly<Record<string, Route>>,
  ids: ReadonlySet<string>,
): Record<string, Route> {
  return Object.fromEntries(Object.entries(routes).filter(([id]) => ids.has(id)))
}
