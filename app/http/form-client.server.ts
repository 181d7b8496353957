import { setTimeout as pause } from "node:timers/promises"
import { MAX_CALL_MS, pool } from "./connection-pool.server"
import { limitedText } from "./read-limited-body.server"
import { UpstreamError } from "./upstream-error"

const MAX_ANSWER = 8 * 1024 * 1024
const PAUSES_MS = [200, 1_000]
/** Positions at which a JSON document is tried after a PHP notice: notices contain few braces, HTML pages many. */
const MAX_DOCUMENT_STARTS = 20

export type FormUpstream = {
  /** Base URL, which may have a path: `https://shop.example/billing`. */
  url: string
  /** Timeout of a call including retries, in milliseconds; at most 30 000. */
  timeoutMs?: number
  /** Delay before each retry in milliseconds; their number is the number of retries. */
  retryDelaysMs?: readonly number[] | undefined
}

/** A PHP form value, or array of them. Null and undefined are omitted, true is `1`, false is `0`. */
export type FormValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly FormValue[]
  | ReadonlyMap<string, FormValue>
export type FormFields = Readonly<Record<string, FormValue>>

export type FormResponse = {
  readonly status: number
  /** Parsed JSON of the body, whatever the status. */
  readonly body: unknown
  /** The upstream's `Date` header. */
  readonly date: string | null
  /** PHP notices or warnings before the JSON; null without any. */
  readonly leadingOutput: string | null
}

export type FormClient = {
  /** Posts a form. `repeatable`: the call is safe to retry. */
  post(path: string, fields: FormFields, call?: { repeatable?: boolean }): Promise<FormResponse>
  /** Requests a page once, like a followed link, and returns the status. Redirects are not followed. */
  visit(
    path: string,
    visit: { query: Readonly<Record<string, string>>; referer: string | null },
  ): Promise<number>
}

/**
 * Client for upstreams that take PHP-encoded forms and answer in JSON, with errors on any status. Paths are relative to
 * its URL. Throws `UpstreamError`: 429 and 5xx are `unavailable`, a body that is not JSON is `unreadable`.
 */
export function formClient({
  url,
  timeoutMs = MAX_CALL_MS,
  retryDelaysMs = PAUSES_MS,
}: FormUpstream): FormClient {
  const base = url.endsWith("/") ? url : `${url}/`
  const inTime = () => AbortSignal.timeout(Math.min(timeoutMs, MAX_CALL_MS))
  return {
    async post(path, fields, { repeatable = false } = {}) {
      const place = new URL(path, base)
      const body = formText(fields)
      const signal = inTime()
      const pauses = repeatable ? retryDelaysMs : []
      return repeated(pauses, signal, () => posted(place, body, signal))
    },

    async visit(path, { query, referer }) {
      const place = new URL(path, base)
      place.search = new URLSearchParams(query).toString()
      const headers = new Headers(referer === null ? [] : [["referer", referer]])
      const response = await send(place, { method: "GET", headers, signal: inTime() })
      await response.body?.cancel()
      return response.status
    },
  }
}

/** Encodes like PHP's `http_build_query`: `pid[0]=1&pid[1]=2`. */
export function formText(fields: FormFields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => pairsOf(name, value))
  return new URLSearchParams(pairs).toString()
}

function pairsOf(name: string, value: FormValue): [string, string][] {
  if (value === null || value === undefined) return []
  if (typeof value === "boolean") return [[name, value ? "1" : "0"]]
  if (typeof value !== "object") return [[name, String(value)]]
  return [...value.entries()].flatMap(([key, held]) => pairsOf(`${name}[${key}]`, held))
}

/** One abort signal for all attempts: the timeout covers the whole call. */
async function repeated<T>(
  pauses: readonly number[],
  signal: AbortSignal,
  act: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await act()
    } catch (error) {
      const wait = pauses[tries]
      const later = error instanceof UpstreamError && error.kind === "unavailable"
      if (!later || wait === undefined || signal.aborted) throw error
      await pause(wait, undefined, { signal }).catch(() => Promise.reject(error))
    }
  }
}

async function posted(place: URL, body: string, signal: AbortSignal): Promise<FormResponse> {
  const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" }
  const response = await send(place, { method: "POST", headers, body, signal })
  const { status } = response
  const name = `POST ${place.host}${place.pathname}`
  if (status === 429 || status >= 500) {
    await response.body?.cancel()
    throw new UpstreamError("unavailable", `${name} answered ${status}`, { status })
  }
  const text = await limitedText(response, MAX_ANSWER).catch((cause: unknown) => {
    throw new UpstreamError("unavailable", `${name} got an incomplete response`, { cause })
  })
  const parsed = parseBody(text)
  // The body is not quoted: a PHP error page may contain secrets.
  if (!parsed)
    throw new UpstreamError("unreadable", `${name} did not respond with JSON (${status})`, { status })
  return { status, ...parsed, date: response.headers.get("date") }
}

type ParsedBody = Pick<FormResponse, "body" | "leadingOutput">

/** Parses JSON after PHP notices and warnings, if the rest is one whole document. */
function parseBody(text: string): ParsedBody | null {
  const whole = parseJson(text)
  if (whole !== undefined) return { body: whole, leadingOutput: null }
  let start = -1
  for (let tries = 0; tries < MAX_DOCUMENT_STARTS; tries++) {
    start = text.indexOf("{", start + 1)
    if (start < 0) return null
    const value = parseJson(text.slice(start))
    if (value !== undefined) return { body: value, leadingOutput: text.slice(0, start) }
  }
  return null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function send(place: URL, request: RequestInit): Promise<Response> {
  // The global `fetch`, not undici's: MSW intercepts only the global one. Its types lack `dispatcher`.
  const init = { ...request, redirect: "manual", dispatcher: pool } as RequestInit
  return fetch(place, init).catch((cause: unknown) => {
    throw new UpstreamError(
      "unavailable",
      `${request.method} ${place.host}${place.pathname} got no response`,
      {
        cause,
      },
    )
  })
}
