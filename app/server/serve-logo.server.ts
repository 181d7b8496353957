import type { IncomingMessage, ServerResponse } from "node:http"
import type { ShopConfig } from "~/context/services.server"
import { BASE } from "~/domain/base-path"

type LogoFile = NonNullable<ShopConfig["logo"]>

/** Logos that are still served after others have taken their place. */
const KEPT_LOGOS = 10

/**
 * Serves the operator's logo from memory. The path holds the content's hash, so the response is immutable. Returns
 * whether it answered. An SVG that is opened as a document gets the content security policy too, and a sandbox.
 */
export function logoServer(shop: Pick<ShopConfig, "logo">) {
  const known = new Map<string, LogoFile>()
  return ({ url = "", method }: IncomingMessage, response: ServerResponse): boolean => {
    // A page of before a change still names the logo of before.
    remember(shop.logo, known)
    const logo = known.get(url)
    if (!logo || (method !== "GET" && method !== "HEAD")) return false
    response.setHeader("content-security-policy", sandboxed(response))
    response.setHeader("cache-control", "public, max-age=31536000, immutable")
    response.setHeader("content-type", logo.type)
    response.setHeader("content-length", logo.bytes.length)
    response.end(method === "GET" ? logo.bytes : undefined)
    return true
  }
}

function sandboxed(response: ServerResponse): string {
  const policy = response.getHeader("content-security-policy")
  return policy === undefined ? "sandbox" : `${policy}; sandbox`
}

function remember(logo: LogoFile | null, known: Map<string, LogoFile>): void {
  if (!logo || known.has(`${BASE}${logo.path}`)) return
  known.set(`${BASE}${logo.path}`, logo)
  const [oldest] = known.keys()
  if (known.size > KEPT_LOGOS && oldest !== undefined) known.delete(oldest)
}
