import type { IncomingMessage } from "node:http"
import type { SandboxResponse } from "./http.server"
import { languageFor } from "./language.server"
import { type UnavailableReason, unavailablePage } from "./payment-page.server"
import { payStyleHash } from "./payment-page-style.server"

type UnavailableResponse = { status: number; reason: UnavailableReason; protocol: string | null }

/** A page in the browser's language that says why nothing can be paid here. */
export function unavailableResponse(
  request: IncomingMessage,
  { status, reason, protocol }: UnavailableResponse,
): SandboxResponse {
  return html(status, unavailablePage(languageFor(request, null), protocol, reason))
}

/** A browser asks for a page; a shop's program takes whatever it is given. */
export function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes("text/html") ?? false
}

/**
 * A page as an answer. `leadsTo`: addresses its form may end at, since the form's answer is a redirect to the shop,
 * which browsers check against `form-action` too.
 */
export function html(status: number, body: string, leadsTo: readonly string[] = []): SandboxResponse {
  const shop = [...new Set(leadsTo.map((url) => new URL(url).origin))]
  const policy = [
    "default-src 'none'",
    `style-src ${payStyleHash}`,
    `form-action ${["'self'", ...shop].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    vary: "accept-language",
  }
  return { status, headers, body }
}
