import type { IncomingMessage, ServerResponse } from "node:http"
import type { ShopConfig } from "~/context/services.server"
import { BASE } from "~/domain/base-path"

/**
 * Answers for the operator's logo, which is kept in memory; its path holds a hash of it, so it never changes. Answers
 * whether it did. Opened by itself an SVG is a page like any other: our content security policy holds for it too.
 */
export function logoServer(logo: ShopConfig["logo"]) {
  return ({ url, method }: IncomingMessage, response: ServerResponse): boolean => {
    if (!logo || url !== `${BASE}${logo.path}` || (method !== "GET" && method !== "HEAD")) return false
    response.setHeader("cache-control", "public, max-age=31536000, immutable")
    response.setHeader("content-type", logo.type)
    response.setHeader("content-length", logo.bytes.length)
    response.end(method === "GET" ? logo.bytes : undefined)
    return true
  }
}
