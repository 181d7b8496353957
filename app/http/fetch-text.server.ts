import { pool } from "./connection-pool.server"
import { BodyTooLargeError, limitedText } from "./read-limited-body.server"
import { UpstreamError } from "./upstream-error"

export type TextRequest = {
  /** What failures are told by: host and path, never the query. */
  name: string
  url: URL
  init: RequestInit
  /** The longest answer that is read, in bytes. */
  maxBytes: number
  /** Is shown the headers of the answer, of a refusal too. */
  onAnswer?: ((headers: Headers) => void) | undefined
}

/** Asks a neighbour once and gives the text it answers with. Every failure is a `NeighbourError`. */
export async function fetchText(question: TextRequest, signal: AbortSignal): Promise<string> {
  const { name, url, init, maxBytes } = question
  // The global `fetch` and not undici's own: tests see only the global one. Its types do not know `dispatcher`.
  const options = { ...init, signal, redirect: "manual", dispatcher: pool } as RequestInit
  const response = await fetch(url, options).catch((cause: unknown) => {
    throw new UpstreamError("unavailable", `${name} got no answer`, { cause })
  })
  question.onAnswer?.(response.headers)
  if (!response.ok) {
    await response.body?.cancel()
    const { status } = response
    throw new UpstreamError(failureOf(status), `${name} answered ${status}`, { status })
  }
  return limitedText(response, maxBytes).catch((cause: unknown) => {
    throw new UpstreamError(brokenBody(cause), `${name} gave no whole answer`, { cause })
  })
}

/** A redirect is no answer: following it would take our request to somebody else. */
function failureOf(status: number) {
  if (status === 429 || status >= 500) return "unavailable"
  return status >= 400 ? "refused" : "unreadable"
}

function brokenBody(cause: unknown) {
  const nonsense = cause instanceof BodyTooLargeError || (cause instanceof TypeError && isBadText(cause))
  return nonsense ? "unreadable" : "unavailable"
}

/** A connection that breaks and bytes that are not UTF-8 are both a `TypeError`; only the latter has a code. */
function isBadText(error: TypeError): boolean {
  return "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA"
}
