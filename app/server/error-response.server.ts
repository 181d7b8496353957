import type { RequestContext } from "~/context/request.server"
import { BASE } from "~/domain/base-path"
import type { ErrorKind } from "~/domain/error-kind"
import type { Brand, Logo } from "~/domain/shop/brand"
import { fallbackErrorPage } from "~/ssr/fallback-error-page.server"
import { pageResponse, renderedHtml } from "~/ssr/rendered-page.server"

type ErrorContext = {
  /** Kind of the error page; null: the response is unchanged. */
  kind: ErrorKind | null
  status: number
  requestContext: RequestContext
  brand: Brand
  logo: Logo | null
}

/** Replaces a response by an HTML error page. Other clients than browsers get the response unchanged. */
export async function withErrorPage(
  response: Response,
  request: Request,
  { kind, status, requestContext, brand, logo }: ErrorContext,
): Promise<Response> {
  if (!kind || !request.headers.get("accept")?.includes("text/html")) return response
  const html = await fallbackErrorPage({
    kind,
    request,
    brand,
    logo,
    nonce: requestContext.nonce,
    requestId: requestContext.id,
  })
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    vary: "accept-language, cookie",
  }
  return pageResponse(renderedHtml(html, null), { status, headers })
}

/**
 * Calls `handle` for URLs below the base path. Others, the base path without its slash, and paths that cannot be decoded (`%zz`)
 * get 404, since React Router writes each of them to the console.
 */
export function routeWithinBasePath(request: Request, handle: () => Promise<Response>): Promise<Response> {
  if (!isOutside(request)) return handle()
  return Promise.resolve(new Response(null, { status: 404 }))
}

function isOutside({ url }: Request): boolean {
  const { pathname } = new URL(url)
  return !pathname.startsWith(`${BASE}/`) || decoded(pathname) === null
}

/** Null if it cannot be decoded. The result is used: the bundler takes out a decoding that is only tried. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

/**
 * Kind of the error page that a response lacks: for a 404 outside the base path or without a body, and for React Router's
 * plain-text 500, whose error page failed to render. Null if it needs none.
 */
export function errorPageOf({ status, headers }: Response, request: Request): ErrorKind | null {
  if (status === 404 && (isOutside(request) || !headers.has("content-type"))) return "not-found"
  return status === 500 && headers.get("content-type")?.startsWith("text/plain") ? "unexpected" : null
}

/**
 * Adds `Allow` to React Router's 405 (RFC 9110, section 15.5.6), which answers a form sent to a route without an action, and takes away
 * its error page, which says that the shop has failed.
 */
export function withAllow(response: Response): Response {
  if (response.status !== 405 || response.headers.has("allow")) return response
  return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } })
}
