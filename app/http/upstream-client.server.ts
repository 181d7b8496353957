import { pipeline, type Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { handleWhen, IterableBackoff, retry } from "cockatiel"
import type { Agent } from "undici"
import { connectionProblem, NO_RESPONSE } from "./connection-problem"
import { UpstreamError } from "./upstream-error"

let pool: Promise<Agent> | null = null

/**
 * Connection pool for all upstreams, loaded with the first call. The connect timeout is shorter than the call timeout.
 */
async function openPool(): Promise<Agent> {
  const { Agent } = await import("undici")
  return new Agent({ connect: { timeout: 5_000 }, keepAliveTimeout: 10_000 })
}

/** Maximum duration of an upstream call in milliseconds, retries included (specification, Constants). */
export const MAX_CALL_MS = 30_000
const RETRY_DELAYS_MS = [200, 1_000]

export type UpstreamSettings = {
  /** Base URL, which may have a path: `https://shop.example/billing`. */
  url: string
  /** Timeout of a call including retries, in milliseconds; at most 30 000. */
  timeoutMs?: number
  /** Delay before each retry in milliseconds; their number is the number of retries. */
  retryDelaysMs?: readonly number[] | undefined
}

export type UpstreamRequest = {
  method: "GET" | "POST"
  url: URL
  headers: Readonly<Record<string, string>>
  body?: string | undefined
}

/** Headers of a response by their names in lower case; null without it, the first of several. */
export type ResponseHeaders = Pick<Headers, "get">

export type UpstreamResponse = {
  readonly status: number
  readonly headers: ResponseHeaders
  /** To be read to its end or destroyed. Fails when the connection breaks or the signal of the request aborts. */
  readonly body: Readable
}

type UpstreamCall<T> = {
  /** Computed for every attempt: some headers contain one-time tokens. */
  request: () => UpstreamRequest | Promise<UpstreamRequest>
  /** Reads the response. A failure counts as a failure of the attempt. Throws `UpstreamError`. */
  read: (response: UpstreamResponse) => Promise<T>
  /** The call is safe to retry. Any other call is sent once. */
  repeatable: boolean
}

export type UpstreamClient = {
  /** Resolves a path relative to the upstream's URL; absolute URLs are used unchanged. */
  urlOf(path: string): URL
  /** Sends a request. Throws `UpstreamError` on every failure. Redirects are not followed. */
  call<T>(call: UpstreamCall<T>): Promise<T>
}

/**
 * HTTP client for an upstream. Retries calls that are safe to retry when the upstream is `unavailable`, unless it asks for a
 * longer wait than the retries have (`Retry-After`).
 */
export function upstreamClient({ url, timeoutMs, retryDelaysMs }: UpstreamSettings): UpstreamClient {
  const base = url.endsWith("/") ? url : `${url}/`
  const limitMs = Math.min(timeoutMs ?? MAX_CALL_MS, MAX_CALL_MS)
  return {
    urlOf: (path) => new URL(path, base),
    call({ request, read, repeatable }) {
      const delays = repeatable ? (retryDelaysMs ?? RETRY_DELAYS_MS) : []
      const attempt = async (signal: AbortSignal) => read(await sendUpstream(await request(), signal))
      return withRetries(attempt, { delays, limitMs })
    },
  }
}

/** Name of a request in error messages: host and path, never the query. */
export function nameOf({ method, url }: Pick<UpstreamRequest, "method" | "url">): string {
  return `${method} ${url.host}${url.pathname}`
}

/** Sends a request once. Throws `UpstreamError` (`unavailable`) without a response. Redirects are not followed. */
export async function sendUpstream(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamResponse> {
  pool ??= openPool()
  const headers = { "user-agent": "Boxoffice", "accept-encoding": "gzip", ...request.headers }
  return sendBy(await pool, { ...request, headers }, signal).catch((cause: unknown) => {
    const message = `${nameOf(request)} got no response${why(cause)}`
    throw new UpstreamError("unavailable", message, { cause })
  })
}

/** In words, since doctor, jobs and the reason for paused ordering name no causes. */
function why(cause: unknown): string {
  const problem = connectionProblem(cause)
  return problem === NO_RESPONSE ? "" : `: ${problem}`
}

/**
 * Sends a request once by an agent, and unpacks the response. Rejects without a response. Redirects are not followed.
 *
 * The agent is asked directly, not by `fetch`, whose streams and signals cost three times as much for a short answer.
 */
export async function sendBy(
  agent: Agent,
  { method, url, headers, body }: UpstreamRequest,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const { origin, pathname, search } = url
  const request = { origin, path: pathname + search, method, headers, body: body ?? null, signal }
  const { statusCode: status, headers: named, body: sent } = await agent.request(request)
  const get = (name: string) => [named[name] ?? null].flat()[0] ?? null
  const isPacked = /^(x-)?gzip$/i.test(get("content-encoding") ?? "")
  const unpacked = isPacked ? pipeline(sent, createGunzip(), () => {}) : sent
  // A reader meets a failure while it reads. Without a listener, one after it has left would end the process.
  unpacked.on("error", () => {})
  return { status, headers: { get }, body: unpacked }
}

type Retries = { readonly delays: readonly number[]; readonly limitMs: number }

/** One abort signal for all attempts: the timeout covers the whole call. */
function withRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { delays, limitMs }: Retries,
): Promise<T> {
  const deadline = performance.now() + limitMs
  const longest = Math.max(...delays)
  let failures = 0
  function canRetry(error: unknown): boolean {
    const delay = delays[failures++]
    // cockatiel does not abort a delay, so a delay that ends after the deadline is not begun.
    const isInTime = delay !== undefined && performance.now() + delay < deadline
    if (!isInTime || !(error instanceof UpstreamError) || error.kind !== "unavailable") return false
    return (error.retryAfterMs ?? 0) <= longest
  }
  const policy = retry(handleWhen(canRetry), {
    maxAttempts: delays.length,
    backoff: new IterableBackoff(delays),
  })
  const signal = AbortSignal.timeout(limitMs)
  return policy.execute(() => attempt(signal), signal)
}
