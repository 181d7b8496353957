import { type MiddlewareFunction, redirectDocument } from "react-router"
import { servicesContext } from "~/context/services.server"
import { isTracked } from "~/domain/shop/analytics"

/**
 * Forces a full page load when leaving the page that runs the analytics script, so that it never runs on pages with
 * orders or credentials. A missing Referer is treated as coming from that page.
 */
export const analyticsIsolation: MiddlewareFunction<Response> = ({ request, url, context }) => {
  const { analytics } = context.get(servicesContext).shop
  if (!analytics || request.method !== "GET" || !isData(request) || isTracked(url)) return
  const from = request.headers.get("referer")
  if (from === null || !URL.canParse(from) || isTracked(new URL(from))) {
    throw redirectDocument(`${url.pathname}${url.search}`)
  }
}

/** Whether React Router fetches loader data, which only an open page does. */
function isData({ url }: Request): boolean {
  return new URL(url).pathname.endsWith(".data")
}
