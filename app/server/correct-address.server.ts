import type { IncomingMessage } from "node:http"
import { BASE } from "~/domain/base-path"
import { localeOfPrefix } from "~/domain/locales"

/** Characters of a path and query; entry links and sign-in links have less than a thousand. */
const MAX_TARGET = 4_096

type Correction = { readonly status: 301 | 302; readonly location: string }

/**
 * Redirects `/` and `/checkout` to the shop (301) with their query, since links into the shop are written without the slash
 * as well, and `/checkout/DE-de` to `/checkout/de-de` (301), as links are typed by hand. Redirects `localhost` to `127.0.0.1` (302):
 * a cookie set on one name is not sent when the gateway returns to the other. Drops a query that makes the address longer than
 * `MAX_TARGET`, since a page repeats its query in many links.
 */
export function correctAddresses({ host, hostname, port }: URL) {
  const otherName = hostname === "127.0.0.1" ? `localhost:${port}` : null
  const right = ({ url = "/", headers }: IncomingMessage): Correction | null => {
    const [path, query] = parts(url)
    const lasting = lastingPath(path)
    if (lasting !== null) return { status: 301, location: `${lasting}${query}` }
    const shorter = withoutLongQuery(url)
    if (shorter !== null) return { status: 302, location: shorter }
    const misled = headers.host === otherName && url.startsWith("/")
    return misled ? { status: 302, location: `http://${host}${url}` } : null
  }
  return (incoming: IncomingMessage) => (isRead(incoming) ? right(incoming) : null)
}

/** Null for addresses that are short enough, and for the served API, whose queries carry maps. */
function withoutLongQuery(url: string): string | null {
  if (url.length <= MAX_TARGET || !url.startsWith(`${BASE}/`) || url.startsWith(`${BASE}/api/`)) return null
  const [path, query] = parts(url)
  return query === "" ? null : path
}

/** Where a path leads for good. Null for paths whose prefix is spelled right, or is of no locale. */
function lastingPath(path: string): string | null {
  if (path === "/" || path === BASE) return `${BASE}/`
  if (!path.startsWith(`${BASE}/`)) return null
  const [prefix = "", ...rest] = path.slice(BASE.length + 1).split("/")
  const locale = localeOfPrefix(prefix.toLowerCase())
  if (locale === null || locale.prefix === `/${prefix}`) return null
  return [`${BASE}${locale.prefix}`, ...rest].join("/")
}

/** Path, and query with its question mark or "". Not parsed: the target may be invalid, which `webRequest` reports. */
function parts(url: string): readonly [path: string, query: string] {
  const at = url.indexOf("?")
  return at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at)]
}

/** Only GET and HEAD are redirected: a redirected POST would lose its form data. */
function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD"
}
