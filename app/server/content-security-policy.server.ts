import type { ServerResponse } from "node:http"
import { type Analytics, isTracked } from "~/domain/shop/analytics"

type Sources = {
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
 * Returns a function that sets the content security policy (CSP) of a page. Only the page's own scripts and styles run, and the
 * shop's files. `form-action` lists the shop and the gateways, because a POST that redirects to a gateway needs it.
 */
export function contentSecurityPolicy({ analytics, formTargets }: Sources) {
  const constant = [
    "default-src 'none'",
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ")
  const analyticsOrigin = analytics ? ` ${new URL(analytics.src).origin}` : ""
  return (response: ServerResponse, { allowed, url }: Page): void => {
    const forms = `form-action ${["'self'", ...formTargets()].join(" ")}`
    const foreign = analyticsOrigin && isTracked(url) ? analyticsOrigin : ""
    const own = `connect-src 'self'${foreign}; script-src 'self' ${allowed.scripts}${foreign}; style-src 'self' ${allowed.styles}`
    response.setHeader("content-security-policy", `${constant}; ${forms}; ${own}`)
  }
}
