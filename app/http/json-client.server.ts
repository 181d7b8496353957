import { setTimeout as pause } from "node:timers/promises"
import { z } from "zod"
import { MAX_CALL_MS } from "./connection-pool.server"
import { fetchText, type TextRequest } from "./fetch-text.server"
import { UpstreamError } from "./upstream-error"

const MAX_ANSWER = 1024 * 1024
const PAUSES_MS = [200, 1_000]

export type Upstream = {
  url: string
  headers?: Readonly<Record<string, string>>
  /** Headers computed for every request, retries included: for one-time tokens (JWT). */
  authorize?: (method: string, url: URL) => Promise<Readonly<Record<string, string>>>
  /** Name of the upstream's idempotency header; default: `idempotency-key`. */
  idempotencyHeader?: string
  /** Timeout of a call including retries, in milliseconds; at most 30 000. */
  timeoutMs?: number
  /** Delay before each retry in milliseconds; their number is the number of retries. */
  retryDelaysMs?: readonly number[]
  /** Called with the headers of every response, errors included: some contain rate limits. */
  onResponse?: (headers: Headers) => void
}

export type JsonClient = {
  get<T>(path: string, as: z.ZodType<T>, how?: GetCall): Promise<T>
  post<T>(path: string, call: PostCall<T>): Promise<T>
}

type GetCall = {
  /** For this call alone. */
  headers?: Readonly<Record<string, string>>
  /** False if this GET changes something at the upstream: no retries. */
  repeatable?: boolean
}

type PostCall<T> = {
  body: unknown
  as: z.ZodType<T>
  /** Idempotency key, which makes the call safe to retry. Without it there are no retries unless `repeatable`. */
  idempotencyKey?: string
  /** For this call alone. */
  headers?: Readonly<Record<string, string>>
  /** The call is safe to retry without a key: it only reads, or its body identifies a repeat. */
  repeatable?: boolean
  /** Signature headers computed from the exact body. */
  sign?: (text: string) => Readonly<Record<string, string>>
}

type JsonRequest = { method: "GET" | "POST"; headers?: Readonly<Record<string, string>>; body?: string }
type Call = Omit<TextRequest, "init"> & { init: () => Promise<RequestInit>; pauses: readonly number[] }

/**
 * JSON client for an upstream; paths are relative to its URL, absolute URLs are used unchanged. Throws `UpstreamError` on
 * every failure. Retries calls that are safe to retry after transport failures, 429 and 5xx. Redirects are not followed.
 */
export function jsonClient(upstream: Upstream): JsonClient {
  const base = upstream.url.endsWith("/") ? upstream.url : `${upstream.url}/`
  const timeoutMs = Math.min(upstream.timeoutMs ?? MAX_CALL_MS, MAX_CALL_MS)
  const pauses = upstream.retryDelaysMs ?? PAUSES_MS
  const repeatedBy = upstream.idempotencyHeader ?? "idempotency-key"

  function call(path: string, { method, headers, body }: JsonRequest, repeatable: boolean): Call {
    const url = new URL(path, base)
    const known = { accept: "application/json", ...upstream.headers, ...headers }
    return {
      name: `${method} ${url.host}${url.pathname}`,
      url,
      init: async () => {
        const proof = await upstream.authorize?.(method, url)
        return { method, headers: { ...known, ...proof }, ...(body !== undefined && { body }) }
      },
      maxBytes: MAX_ANSWER,
      onResponse: upstream.onResponse,
      pauses: repeatable ? pauses : [],
    }
  }

  async function send<T>(wanted: Call, as: z.ZodType<T>): Promise<T> {
    const text = await fetchWithTimeout(wanted, AbortSignal.timeout(timeoutMs))
    return understood(wanted, text, as)
  }

  return {
    get: (path, as, { headers = {}, repeatable = true } = {}) =>
      send(call(path, { method: "GET", headers }, repeatable), as),
    post(path, { body, as, idempotencyKey, repeatable = idempotencyKey !== undefined, sign, ...own }) {
      const text = JSON.stringify(body)
      const headers = {
        ...own.headers,
        "content-type": "application/json",
        ...(idempotencyKey && { [repeatedBy]: idempotencyKey }),
        ...sign?.(text),
      }
      return send(call(path, { method: "POST", headers, body: text }, repeatable), as)
    },
  }
}

/** One abort signal for all attempts: the timeout covers the whole call. */
async function fetchWithTimeout(call: Call, signal: AbortSignal): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      return await fetchText({ ...call, init: await call.init() }, signal)
    } catch (error) {
      const wait = call.pauses[tries]
      const later = error instanceof UpstreamError && error.kind === "unavailable"
      if (!later || wait === undefined || signal.aborted) throw error
      await pause(wait, undefined, { signal }).catch(() => Promise.reject(error))
    }
  }
}

function understood<T>({ name }: Call, text: string, as: z.ZodType<T>): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UpstreamError("unreadable", `${name} did not respond with JSON`, { cause })
  }
  const parsed = as.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  throw new UpstreamError("unreadable", `${name} got an invalid response: ${z.prettifyError(cause)}`, {
    cause,
  })
}
