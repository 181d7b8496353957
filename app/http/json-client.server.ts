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
  /** More headers, made anew for every single request, repeats too: for proofs that are good only once. */
  authorize?: (method: string, url: URL) => Promise<Readonly<Record<string, string>>>
  /** The header by which this neighbour knows a repeat, if not `idempotency-key`. */
  idempotencyHeader?: string
  /** For one call with all its repeats, in milliseconds; never more than 30 000. */
  timeoutMs?: number
  /** How long to wait before each repeat, in milliseconds; as many repeats as there are pauses. */
  retryDelaysMs?: readonly number[]
  /** Is shown the headers of every answer, of refusals too: some say there how much may still be asked. */
  onAnswer?: (headers: Headers) => void
}

export type JsonClient = {
  get<T>(path: string, as: z.ZodType<T>, how?: GetCall): Promise<T>
  post<T>(path: string, call: PostCall<T>): Promise<T>
}

type GetCall = {
  /** For this call alone. */
  headers?: Readonly<Record<string, string>>
  /** False where a neighbour has its GETs change something: the call is made once. */
  repeatable?: boolean
}

type PostCall<T> = {
  body: unknown
  as: z.ZodType<T>
  /** With it the call may be repeated; without it the call is made once, if it is not `repeatable`. */
  idempotencyKey?: string
  /** For this call alone. */
  headers?: Readonly<Record<string, string>>
  /** The call only asks, or names in its body what the neighbour knows a repeat by: it needs no key. */
  repeatable?: boolean
  /** Headers that prove who sends, made from the very text that is sent. */
  sign?: (text: string) => Readonly<Record<string, string>>
}

type JsonRequest = { method: "GET" | "POST"; headers?: Readonly<Record<string, string>>; body?: string }
type Call = Omit<TextRequest, "init"> & { init: () => Promise<RequestInit>; pauses: readonly number[] }

/**
 * Talks JSON to one neighbour; paths are relative to its URL, and a whole address stands for itself. Every failure
 * is a `NeighbourError`. Repeats what is safe to repeat after transport failures, 429 and 5xx. Redirects are not
 * followed.
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
      onAnswer: upstream.onAnswer,
      pauses: repeatable ? pauses : [],
    }
  }

  async function send<T>(wanted: Call, as: z.ZodType<T>): Promise<T> {
    const text = await answerInTime(wanted, AbortSignal.timeout(timeoutMs))
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

/** One signal for all tries: the caller's time is what counts, not the number of tries. */
async function answerInTime(call: Call, signal: AbortSignal): Promise<string> {
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
    throw new UpstreamError("unreadable", `${name} did not answer in JSON`, { cause })
  }
  const parsed = as.safeParse(value)
  if (parsed.success) return parsed.data
  const { error: cause } = parsed
  throw new UpstreamError("unreadable", `${name} answered nonsense: ${z.prettifyError(cause)}`, { cause })
}
