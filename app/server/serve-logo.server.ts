import type { IncomingMessage, ServerResponse } from "node:http"
import type { ShopConfig } from "~/context/services.server"
import { BASE } from "~/domain/base-path"

/**
 * Serves the operator's logo from memory. The path holds the content's hash, so the response is immutable. Returns
 * whether it answered. An SVG that is opened as a document gets the content security policy too.
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
