import type { IncomingMessage } from "node:http"
import { BASE } from "~/domain/base-path"

type Correction = { readonly status: 301 | 302; readonly location: string }

/** `/` and `/checkout` lead to the shop; so does "localhost", whose cookies the gateway's return would not find. */
export function correctAddresses({ host, hostname, port }: URL) {
  const otherName = hostname === "127.0.0.1" ? `localhost:${port}` : null
  const right = ({ url = "/", headers }: IncomingMessage): Correction | null => {
    if (url === "/" || url === BASE) return { status: 301, location: `${BASE}/` }
    const misled = headers.host === otherName && url.startsWith("/")
    return misled ? { status: 302, location: `http://${host}${url}` } : null
  }
  return (incoming: IncomingMessage) => (isRead(incoming) ? right(incoming) : null)
}

/** A form must not be sent anywhere else: it would lose what was typed. */
function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD"
}
