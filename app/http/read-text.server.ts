import { DAY } from "~/domain/calendar"
import { parseRetryAfter } from "~/domain/retry-after"
import { BodyTooLargeError, limitedText } from "./read-limited-body.server"
import type { UpstreamResponse } from "./upstream-client.server"
import { UpstreamError } from "./upstream-error"

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
 * How long a response asks to be left alone (`Retry-After`), in milliseconds; null: it does not. A rejected rate and an outage alone say
 * so; a redirect has the header, too.
 */
export function retryAfterIn({ status, headers }: UpstreamResponse): number | null {
  if (status !== 429 && status !== 503) return null
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

function failureOf(status: number) {
  if (status === 429 || status >= 500) return "unavailable"
  return status >= 400 ? "refused" : "unreadable"
}

function bodyErrorKind(cause: unknown) {
  return cause instanceof BodyTooLargeError || isInvalidText(cause) ? "unreadable" : "unavailable"
}

/** Whether an error is what `TextDecoder` throws for invalid UTF-8; others are of a broken connection. */
function isInvalidText(error: unknown): boolean {
  return error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA"
}
