import type { IncomingMessage } from "node:http"

/**
 * Path and query of a target in absolute form with the shop's own host, which every server accepts (RFC 9112, section 3.2.2). Any other
 * target stays as it is; `webRequest` rejects one with another host.
 */
export function originForm({ url: target = "/" }: IncomingMessage, { host: ownHost }: URL): string {
  const [, host = "", pathAndQuery = ""] = /^https?:\/\/([^/?]*)(.*)$/i.exec(target) ?? []
  if (host.toLowerCase() !== ownHost) return target
  return pathAndQuery.startsWith("/") ? pathAndQuery : `/${pathAndQuery}`
}
