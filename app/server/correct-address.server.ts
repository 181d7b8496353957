import type { IncomingMessage } from "node:http"
import { BASE } from "~/domain/base-path"

type Correction = { readonly status: 301 | 302; readonly location: string }

/**
 * Redirects `/` and `/checkout` to the shop (301), and `localhost` to `127.0.0.1` (302): a cookie set on one name is not
 * sent when the gateway returns to the other.
 */
export function correctAddresses({ host, hostname, port }: URL) {
  const otherName = hostname === "127.0.0.1" ? `localhost:${port}` : null
  const right = ({ url = "/", headers }: IncomingMessage): Correction | null => {
    if (url === "/" || url === BASE) return { status: 301, location: `${BASE}/` }
    const misled = headers.host === otherName && url.startsWith("/")
    return misled ? { status: 302, location: `http://${host}${url}` } : null
  }
  return (incoming: IncomingMessage) => (isRead(incoming) ? right(incoming) : null)
}

/** Only GET and HEAD are redirected: a redirected POST would lose its form data. */
function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD"
}
