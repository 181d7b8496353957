import { MAX_CALL_MS } from "./connection-pool.server"
import { fetchText } from "./fetch-text.server"

type Limits = {
  /** Timeout in milliseconds; at most 30 000. */
  timeoutMs: number
  /** Maximum response size in bytes. */
  maxBytes: number
}

/** Fetches the text at a URL once. Throws `UpstreamError` on every failure. Redirects are not followed. */
export function textOf(url: URL, { timeoutMs, maxBytes }: Limits): Promise<string> {
  const request = { name: `GET ${url.host}${url.pathname}`, url, init: {}, maxBytes }
  return fetchText(request, AbortSignal.timeout(Math.min(timeoutMs, MAX_CALL_MS)))
}
