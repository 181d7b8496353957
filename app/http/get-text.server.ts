import { MAX_CALL_MS } from "./connection-pool.server"
import { fetchText } from "./fetch-text.server"

type Limits = {
  /** In milliseconds; never more than 30 000. */
  timeoutMs: number
  /** The longest text that is read, in bytes. */
  maxBytes: number
}

/** The text at an address, asked for once. Every failure is a `NeighbourError`. Redirects are not followed. */
export function textOf(url: URL, { timeoutMs, maxBytes }: Limits): Promise<string> {
  const question = { name: `GET ${url.host}${url.pathname}`, url, init: {}, maxBytes }
  return fetchText(question, AbortSignal.timeout(Math.min(timeoutMs, MAX_CALL_MS)))
}
