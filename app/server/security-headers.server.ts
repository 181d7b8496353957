import type { ServerResponse } from "node:http"
import { type Analytics, isTracked } from "~/domain/shop/analytics"

type Shop = {
  publicUrl: string
  /** Its script may run, and report to where it comes from, on the page where visitors are counted. */
  analytics: Analytics | null
  /** Where gateways take the buyer, as far as is known now: some say so only while they are spoken with. */
  formTargets: () => readonly string[]
}

type Page = { allowed: Allowed; url: Pick<URL, "pathname" | "search"> }

/** The page's own scripts and styles, as a policy names them: by a nonce, or each by its hash. */
type Allowed = { readonly scripts: string; readonly styles: string }

export function byNonce(nonce: string): Allowed {
  return { scripts: `'nonce-${nonce}'`, styles: `'nonce-${nonce}'` }
}

/**
 * What every answer says, whoever made it, and the policy of a page. Only the page's own scripts and styles run; forms may lead to
 * ourselves and to the gateways, because a POST that redirects to a gateway needs it (design, section 9).
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
    // Not "no-referrer": that takes the Origin header from our own forms, by which foreign ones are told apart.
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
