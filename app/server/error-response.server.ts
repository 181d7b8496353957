import type { RequestContext } from "~/context/request.server"
import { BASE } from "~/domain/base-path"
import type { ErrorKind } from "~/domain/error-kind"
import type { Brand } from "~/domain/shop/brand"
import { fallbackErrorPage } from "~/ssr/fallback-error-page.server"
import { pageResponse, renderedHtml } from "~/ssr/rendered-page.server"

type ErrorContext = { requestContext: RequestContext; brand: Brand }

/**
 * Adds an HTML error page to responses that have none: 404 outside the base path, and React Router's plain-text 500 for
 * an error page that failed to render. Other clients than browsers get the response unchanged.
 */
export async function withErrorPage(
  response: Response,
  request: Request,
  { requestContext, brand }: ErrorContext,
): Promise<Response> {
  const kind = wordlessIn(response, request)
  if (!kind || !request.headers.get("accept")?.includes("text/html")) return response
  const html = await fallbackErrorPage({
    kind,
    request,
    brand,
    nonce: requestContext.nonce,
    requestId: requestContext.id,
  })
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    vary: "accept-language, cookie",
  }
  return pageResponse(renderedHtml(html), { status: response.status, headers })
}

/**
 * Calls `handle` for URLs below the base path. Others, and paths that cannot be decoded (`%zz`), get 404, since React
 * Router writes each of them to the console.
 */
export function routeWithinBasePath(request: Request, handle: () => Promise<Response>): Promise<Response> {
  if (!isOutside(request)) return handle()
  return Promise.resolve(new Response(null, { status: 404 }))
}

function isOutside({ url }: Request): boolean {
  const { pathname } = new URL(url)
  return !`${pathname}/`.startsWith(`${BASE}/`) || !canBeDecoded(pathname)
}

function canBeDecoded(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Kind of the error page that the response lacks; null if it needs none. */
function wordlessIn({ status, headers }: Response, request: Request): ErrorKind | null {
  if (status === 404 && isOutside(request)) return "not-found"
  return status === 500 && headers.get("content-type")?.startsWith("text/plain") ? "unexpected" : null
}
