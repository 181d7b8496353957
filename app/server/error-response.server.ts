import type { RequestContext } from "~/context/request.server"
import { BASE } from "~/domain/base-path"
import type { ErrorKind } from "~/domain/error-kind"
import type { Brand } from "~/domain/shop/brand"
import { fallbackErrorPage } from "~/ssr/fallback-error-page.server"
import { pageResponse, renderedHtml } from "~/ssr/rendered-page.server"

type Asked = { facts: RequestContext; brand: Brand }

/**
 * An answer with words in it. There are none for an address outside of the shop, and React Router has one line of
 * English for a page that failed while it said that it had failed; a browser gets a page of ours for both.
 */
export async function withErrorPage(
  response: Response,
  request: Request,
  { facts, brand }: Asked,
): Promise<Response> {
  const kind = wordlessIn(response, request)
  if (!kind || !request.headers.get("accept")?.includes("text/html")) return response
  const html = await fallbackErrorPage({ kind, request, brand, nonce: facts.nonce, requestId: facts.id })
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    vary: "accept-language, cookie",
  }
  return pageResponse(renderedHtml(html), { status: response.status, headers })
}

/** What pages answer. React Router is not asked for others' addresses: it writes a line to the console for each. */
export function routeWithinBasePath(request: Request, answer: () => Promise<Response>): Promise<Response> {
  if (!isOutside(request)) return answer()
  return Promise.resolve(new Response(null, { status: 404 }))
}

function isOutside({ url }: Request): boolean {
  return !`${new URL(url).pathname}/`.startsWith(`${BASE}/`)
}

/** What it should say; null when it says it. */
function wordlessIn({ status, headers }: Response, request: Request): ErrorKind | null {
  if (status === 404 && isOutside(request)) return "not-found"
  return status === 500 && headers.get("content-type")?.startsWith("text/plain") ? "unexpected" : null
}
