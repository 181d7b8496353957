import { DAY } from "~/domain/calendar"
import { parseRetryAfter } from "~/domain/retry-after"
import type { UpstreamResponse } from "./upstream-client.server"
import { UpstreamError } from "./upstream-error"

/** The body exceeds the limit. */
class BodyTooLargeError extends Error {
  override name = "BodyTooLargeError"
}

/**
 * Throws `UpstreamError` unless the status is 2xx, with the body if it has at most `maxErrorBytes`. Redirects are errors:
 * following one would ask another host.
 */
export async function checkStatus(
  response: UpstreamResponse,
  name: string,
  maxErrorBytes = 0,
): Promise<void> {
  const { status } = response
  if (status >= 200 && status < 300) return
  const body = await errorBody(response, maxErrorBytes)
  const message = `${name} answered ${status}${redirectOf(response)}`
  throw new UpstreamError(failureOf(status), message, { status, body, retryAfterMs: retryAfterIn(response) })
}

/**
 * Where a redirect leads, for an error message: scheme and host, such as https instead of http. Its path may be secret. Empty for
 * another response.
 */
export function redirectOf({ status, headers }: UpstreamResponse): string {
  const target = status >= 300 && status < 400 ? URL.parse(headers.get("location") ?? "") : null
  return target ? `, a redirect to ${target.protocol}//${target.host}` : ""
}

/**
 * How long a response asks to be left alone (`Retry-After`), in milliseconds; null: it does not. Transient statuses and an outage alone
 * say so; a redirect has the header, too.
 */
export function retryAfterIn({ status, headers }: UpstreamResponse): number | null {
  if (status !== 503 && !transient.includes(status)) return null
  const at = Date.now()
  const until = parseRetryAfter(headers.get("retry-after"), at, DAY)
  return until && until - at
}

async function errorBody(response: UpstreamResponse, maxErrorBytes: number): Promise<string | null> {
  if (maxErrorBytes > 0) return limitedText(response, maxErrorBytes).catch(() => null)
  response.body.destroy()
  return null
}

type TextLimits = { readonly maxBytes: number; readonly maxErrorBytes?: number | undefined }

/** Reads the text of a response with status 2xx, at most `maxBytes`. Throws `UpstreamError` on every failure. */
export async function readText(
  response: UpstreamResponse,
  name: string,
  { maxBytes, maxErrorBytes }: TextLimits,
): Promise<string> {
  await checkStatus(response, name, maxErrorBytes)
  return bodyText(response, name, maxBytes)
}

/**
 * Reads the text of a response, whatever its status. Throws `UpstreamError`: `unreadable` for a body that is larger than `maxBytes` or no
 * UTF-8, and `unavailable` if the connection breaks.
 */
export async function bodyText(response: UpstreamResponse, name: string, maxBytes: number): Promise<string> {
  return limitedText(response, maxBytes).catch((cause: unknown) => {
    throw new UpstreamError(bodyErrorKind(cause), `${name} got an incomplete response`, { cause })
  })
}

/**
 * Statuses below 500 after which the same request may be sent again: the server has waited too long for it (408, RFC 9110), would not
 * take it so early (425, RFC 8470), or has had too many (429, RFC 6585).
 */
const transient: readonly number[] = [408, 425, 429]

/** Whether a response is of an upstream that is `unavailable`. */
export function isUnavailable(status: number): boolean {
  return status >= 500 || transient.includes(status)
}

function failureOf(status: number) {
  if (isUnavailable(status)) return "unavailable"
  return status >= 400 ? "refused" : "unreadable"
}

function bodyErrorKind(cause: unknown) {
  return cause instanceof BodyTooLargeError || isInvalidText(cause) ? "unreadable" : "unavailable"
}

/** Whether an error is what `TextDecoder` throws for invalid UTF-8; others are of a broken connection. */
function isInvalidText(error: unknown): boolean {
  return error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA"
}

/** Reads a body as UTF-8 text. Throws `BodyTooLargeError` above `maxBytes` (uncompressed), `TypeError` on invalid UTF-8. */
async function limitedText({ body }: UpstreamResponse, maxBytes: number): Promise<string> {
  // Decoded in chunks: decoding a long body in one call would block the event loop.
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const text: string[] = []
  let size = 0
  // Leaving the loop early cancels the stream, so the rest is not fetched.
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) throw new BodyTooLargeError(`Response larger than ${maxBytes} bytes`)
    text.push(decoder.decode(chunk, { stream: true }))
  }
  text.push(decoder.decode())
  return text.join("")
}
