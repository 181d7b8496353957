import { z } from "zod"
import { readText } from "./read-response.server"
import {
  nameOf,
  type ResponseHeaders,
  type UpstreamRequest,
  type UpstreamResponse,
  type UpstreamSettings,
  upstreamClient,
} from "./upstream-client.server"
import { UpstreamError } from "./upstream-error"

const MAX_BYTES = 1024 * 1024
const NO_CONTENT = 204

export type Upstream = UpstreamSettings & {
  headers?: Readonly<Record<string, string>>
  /** Headers computed for every request, retries included: for one-time tokens (JWT). */
  authorize?: (method: string, url: URL) => Promise<Readonly<Record<string, string>>>
  /** Name of the upstream's idempotency header; default: `idempotency-key`. */
  idempotencyHeader?: string
  /** Largest body of a response, in bytes; default 1 MiB. */
  maxBytes?: number
  /** Largest body of an error response to read, in bytes: see `UpstreamError.body`. Default: none is read. */
  maxErrorBytes?: number
  /** Called with the headers of every response, errors included: some contain rate limits. */
  onResponse?: (headers: ResponseHeaders) => void
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

type JsonCall<T> = {
  request: UpstreamRequest
  repeatable: boolean
  as: z.ZodType<T>
}

/**
 * JSON client for an upstream; paths are relative to its URL, absolute URLs are used unchanged. Throws `UpstreamError` on
 * every failure. Retries calls that are safe to retry after transport failures, 429 and 5xx. Redirects are not followed.
 */
export function jsonClient(upstream: Upstream): JsonClient {
  const client = upstreamClient(upstream)
  const repeatedBy = upstream.idempotencyHeader ?? "idempotency-key"
  const headersWith = (headers: Readonly<Record<string, string>>) => ({
    accept: "application/json",
    ...upstream.headers,
    ...headers,
  })

  async function authorized(request: UpstreamRequest): Promise<UpstreamRequest> {
    const proof = await upstream.authorize?.(request.method, request.url)
    return { ...request, headers: { ...request.headers, ...proof } }
  }

  async function send<T>({ request, repeatable, as }: JsonCall<T>): Promise<T> {
    const name = nameOf(request)
    const text = await client.call({
      request: () => authorized(request),
      repeatable,
      read(response) {
        upstream.onResponse?.(response.headers)
        if (response.status === NO_CONTENT) return noText(response)
        const { maxBytes = MAX_BYTES, maxErrorBytes } = upstream
        return readText(response, name, { maxBytes, maxErrorBytes })
      },
    })
    return parseAs(as, text, name)
  }

  return {
    get(path, as, { headers = {}, repeatable = true } = {}) {
      const request = { method: "GET", url: client.urlOf(path), headers: headersWith(headers) } as const
      return send({ request, repeatable, as })
    },
    post(path, { body, as, idempotencyKey, repeatable = idempotencyKey !== undefined, sign, ...own }) {
      const text = JSON.stringify(body)
      const headers = headersWith({
        ...own.headers,
        "content-type": "application/json",
        ...(idempotencyKey && { [repeatedBy]: idempotencyKey }),
        ...sign?.(text),
      })
      const request = { method: "POST", url: client.urlOf(path), headers, body: text } as const
      return send({ request, repeatable, as })
    },
  }
}

async function noText({ body }: UpstreamResponse): Promise<null> {
  body.destroy()
  return null
}

/** `text` is null for a response without content, whose value is undefined. */
function parseAs<T>(as: z.ZodType<T>, text: string | null, name: string): T {
  let value: unknown
  try {
    value = text === null ? undefined : JSON.parse(text)
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
