import { BodyTooLargeError, limitedText } from "./read-limited-body.server"
import { UpstreamError } from "./upstream-error"

/** Throws `UpstreamError` unless the status is 2xx. Redirects are errors: following one would ask another host. */
export async function checkStatus(response: Response, name: string): Promise<void> {
  if (response.ok) return
  const { status } = response
  await response.body?.cancel()
  throw new UpstreamError(failureOf(status), `${name} answered ${status}`, { status })
}

/** Reads the text of a response with status 2xx, at most `maxBytes`. Throws `UpstreamError` on every failure. */
export async function readText(response: Response, name: string, maxBytes: number): Promise<string> {
  await checkStatus(response, name)
  return limitedText(response, maxBytes).catch((cause: unknown) => {
    throw new UpstreamError(bodyErrorKind(cause), `${name} got an incomplete response`, { cause })
  })
}

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
