import { type MiddlewareFunction, redirectDocument } from "react-router"
import { servicesContext } from "~/context/services.server"
import { isTracked } from "~/domain/shop/analytics"

/**
 * A stranger's script that counts visitors stays in a document for as long as that lasts. So the way from the page
 * with it to any other leads to a new document, which has none. Who does not say where he comes from is taken to
 * come from there.
 */
export const analyticsIsolation: MiddlewareFunction<Response> = ({ request, url, context }) => {
  const { analytics } = context.get(servicesContext).shop
  if (!analytics || request.method !== "GET" || !isData(request) || isTracked(url)) return
  const from = request.headers.get("referer")
  if (from === null || !URL.canParse(from) || isTracked(new URL(from))) {
    throw redirectDocument(`${url.pathname}${url.search}`)
  }
}

/** React Router's own request for what a page shows: only the page that is already open makes it. */
function isData({ url }: Request): boolean {
  return new URL(url).pathname.endsWith(".data")
}
