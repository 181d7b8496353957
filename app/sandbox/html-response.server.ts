import type { IncomingMessage } from "node:http"
import type { SandboxResponse } from "./http.server"
import { pageLocale } from "./locale.server"
import { type Unavailable, unavailablePage } from "./payment-page.server"
import { payStyleHash } from "./payment-page-style.server"

type UnavailableResponse = Unavailable & { status: number }

/** Builds an HTML error page in the browser's language: nothing can be paid at this URL. */
export async function unavailableResponse(
  request: IncomingMessage,
  { status, ...unavailable }: UnavailableResponse,
): Promise<SandboxResponse> {
  return html(status, unavailablePage(await pageLocale(request, null), unavailable))
}

/** Content negotiation: browsers accept `text/html`; API clients get JSON. */
export function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes("text/html") ?? false
}

/**
 * Builds an HTML response with a content security policy. `leadsTo`: URLs the form may redirect to, because browsers
 * apply `form-action` to redirects too. `frames`: the page shows another page of the sandbox in a frame.
 */
export function html(
  status: number,
  body: string,
  { leadsTo = [], frames = false }: { leadsTo?: readonly string[]; frames?: boolean } = {},
): SandboxResponse {
  const shop = [...new Set(leadsTo.map((url) => new URL(url).origin))]
  const policy = [
    "default-src 'none'",
    `style-src ${payStyleHash}`,
    `form-action ${["'self'", ...shop].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(frames ? ["frame-src 'self'"] : []),
  ]
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    vary: "accept-language",
  }
  return { status, headers, body }
}
