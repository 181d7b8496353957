import { pool } from "./connection-pool.server"
import { BodyTooLargeError, limitedText } from "./read-limited-body.server"
import { UpstreamError } from "./upstream-error"

export type TextRequest = {
  /** Name in error messages: host and path, never the query. */
  name: string
  url: URL
  init: RequestInit
  /** Maximum response size in bytes. */
  maxBytes: number
  /** Called with the response's headers, also on error statuses. */
  onResponse?: ((headers: Headers) => void) | undefined
}

/** Sends a request once and returns the response's text. Throws `UpstreamError` on every failure. */
export async function fetchText(request: TextRequest, signal: AbortSignal): Promise<string> {
  const { name, url, init, maxBytes } = request
  // The global `fetch`, not undici's: MSW intercepts only the global one. Its types lack `dispatcher`.
  const options = { ...init, signal, redirect: "manual", dispatcher: pool } as RequestInit
  const response = await fetch(url, options).catch((cause: unknown) => {
    throw new UpstreamError("unavailable", `${name} got no response`, { cause })
  })
  request.onResponse?.(response.headers)
  if (!response.ok) {
    await response.body?.cancel()
    const { status } = response
    throw new UpstreamError(failureOf(status), `${name} answered ${status}`, { status })
  }
  return limitedText(response, maxBytes).catch((cause: unknown) => {
    throw new UpstreamError(bodyErrorKind(cause), `${name} got an incomplete response`, { cause })
  })
}

/** Redirects are errors: following one would send the request to another host. */
function failureOf(status: number) {
  if (status === 429 || status >= 500) return "unavailable"
  return status >= 400 ? "refused" : "unreadable"
}

function bodyErrorKind(cause: unknown) {
  const isUnreadable = cause instanceof BodyTooLargeError || (cause instanceof TypeError && isBadText(cause))
  return isUnreadable ? "unreadable" : "unavailable"
}

/** Broken connections and invalid UTF-8 are both a `TypeError`; only the latter has a code. */
function isBadText(error: TypeError): boolean {
  return "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA"
}
