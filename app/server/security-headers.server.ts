import type { ServerResponse } from "node:http"

/** Returns a function that sets the security headers of every response; pages get a content security policy besides. */
export function securityHeaders(publicUrl: string) {
  const headers: readonly (readonly [string, string])[] = [
    ["x-content-type-options", "nosniff"],
    ["x-frame-options", "DENY"],
    // Not "no-referrer": browsers would send `Origin: null` with our own forms, and the same-origin check needs it.
    ["referrer-policy", "same-origin"],
    ["cross-origin-opener-policy", "same-origin"],
    ["permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()"],
    ...(publicUrl.startsWith("https:") ? [["strict-transport-security", "max-age=31536000"] as const] : []),
  ]
  return (response: ServerResponse): void => {
    for (const [name, value] of headers) response.setHeader(name, value)
  }
}
