import type { ServerResponse } from "node:http"
import { type Analytics, isTracked } from "~/domain/shop/analytics"

type Shop = {
  publicUrl: string
  /** Its script may run and report to its own origin on tracked pages only. */
  analytics: Analytics | null
  /** Origins of the gateways' payment pages known so far; some gateways name theirs only in a response. */
  formTargets: () => readonly string[]
}

type Page = { allowed: Allowed; url: Pick<URL, "pathname" | "search"> }

/** Sources of the page's own scripts and styles in the policy: a nonce, or a hash for each. */
type Allowed = { readonly scripts: string; readonly styles: string }

export function byNonce(nonce: string): Allowed {
  return { scripts: `'nonce-${nonce}'`, styles: `'nonce-${nonce}'` }
}

/**
 * Security headers of every response, and the content security policy (CSP) of a page. Only the page's own scripts and
 * styles run. `form-action` lists the shop and the gateways, because a POST that redirects to a gateway needs it.
 */
export function securityHeaders({ publicUrl, analytics, formTargets }: Shop) {
  const around = [
    "default-src 'none'",
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ")
  const always: readonly (readonly [string, string])[] = [
    ["x-content-type-options", "nosniff"],
    ["x-frame-options", "DENY"],
    // Not "no-referrer": browsers would send `Origin: null` with our own forms, and the same-origin check needs it.
    ["referrer-policy", "same-origin"],
    ["cross-origin-opener-policy", "same-origin"],
    ["permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()"],
    ...(publicUrl.startsWith("https:") ? [["strict-transport-security", "max-age=31536000"] as const] : []),
  ]
  const counter = analytics ? ` ${new URL(analytics.src).origin}` : ""
  return {
    always(response: ServerResponse): void {
      for (const [name, value] of always) response.setHeader(name, value)
    },
    policy(response: ServerResponse, { allowed, url }: Page): void {
      const forms = `form-action ${["'self'", ...formTargets()].join(" ")}`
      const foreign = counter && isTracked(url) ? counter : ""
      const own = `connect-src 'self'${foreign}; script-src 'self' ${allowed.scripts}${foreign}; style-src ${allowed.styles}`
      response.setHeader("content-security-policy", `${around}; ${forms}; ${own}`)
    },
  }
}
