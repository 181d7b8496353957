import { bodyText, isUnavailable, redirectOf, retryAfterIn } from "./read-response.server"
import {
  nameOf,
  type UpstreamResponse,
  type UpstreamSettings,
  upstreamClient,
} from "./upstream-client.server"
import { UpstreamError } from "./upstream-error"

const MAX_ANSWER = 8 * 1024 * 1024
/** Positions at which a JSON document is tried after a PHP notice: notices contain few braces, HTML pages many. */
const MAX_DOCUMENT_STARTS = 20

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
export function formClient(upstream: UpstreamSettings): FormClient {
  const client = upstreamClient(upstream)
  return {
    async post(path, fields, { repeatable = false } = {}) {
      const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" }
      const request = { method: "POST", url: client.urlOf(path), headers, body: formText(fields) } as const
      const name = nameOf(request)
      return client.call({
        request: () => request,
        repeatable,
        read: (response) => readAnswer(response, name),
      })
    },

    async visit(path, { query, referer }) {
      const url = client.urlOf(path)
      url.search = new URLSearchParams(query).toString()
      const headers: Record<string, string> = referer === null ? {} : { referer }
      return client.call({
        request: () => ({ method: "GET", url, headers }),
        repeatable: false,
        async read(response) {
          response.body.destroy()
          return response.status
        },
      })
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

async function readAnswer(response: UpstreamResponse, name: string): Promise<FormResponse> {
  const { status } = response
  if (isUnavailable(status)) {
    response.body.destroy()
    const retryAfterMs = retryAfterIn(response)
    throw new UpstreamError("unavailable", `${name} answered ${status}`, { status, retryAfterMs })
  }
  const text = await bodyText(response, name, MAX_ANSWER)
  const parsed = parseBody(text)
  // The body is not quoted: a PHP error page may contain secrets.
  if (!parsed)
    throw new UpstreamError(
      "unreadable",
      `${name} did not respond with JSON (${status}${redirectOf(response)})`,
      { status },
    )
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
