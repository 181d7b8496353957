import { readText } from "./read-text.server"
import { nameOf, upstreamClient } from "./upstream-client.server"

type Limits = {
  /** Timeout in milliseconds; at most 30 000. */
  timeoutMs: number
  /** Maximum response size in bytes. */
  maxBytes: number
}

/** Fetches the text at a URL once. Throws `UpstreamError` on every failure. Redirects are not followed. */
export function textOf(url: URL, { timeoutMs, maxBytes }: Limits): Promise<string> {
  const request = { method: "GET", url, headers: {} } as const
  return upstreamClient({ url: url.href, timeoutMs }).call({
    request: () => request,
    repeatable: false,
    read: (response) => readText(response, nameOf(request), { maxBytes }),
  })
}
