import type { IncomingHttpHeaders } from "node:http"

/**
 * Whether a POST comes from a page of this shop: the same-origin check against cross-site request forgery. A browser
 * sends `Origin` with every form; it has to be the shop's public origin, or the host the request was sent to. But the public host
 * of a shop with TLS is its own origin with TLS alone: a page without may come from anybody in the visitor's network. Clients
 * that are no browser (gateways, API clients) send neither `Origin` nor `Sec-Fetch-Site` and pass: they have no cookies
 * that could be abused.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { origin } = headers
  if (origin === undefined) return headers["sec-fetch-site"] !== "cross-site"
  const own = new URL(publicUrl)
  if (origin === own.origin) return true
  if (own.protocol === "https:" && headers.host === own.host) return false
  return URL.parse(origin)?.host === headers.host
}
