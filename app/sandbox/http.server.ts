import type { IncomingMessage, ServerResponse } from "node:http"
import { strictJson } from "~/http/strict-json"

const MAX_BODY = 64 * 1024

/** A request to the sandbox with its response. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Path parameters of the route. */
  readonly params: Readonly<Record<string, string>>
}

export type SandboxResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Headers of every response; HTML pages override the content security policy. */
const SAFE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
}

/** Reads the request body; null if it exceeds 64 kB. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop must not close the connection, which the response still needs.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_BODY) {
      request.resume()
      return null
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Parses a request body. Undefined if it is not JSON: every schema rejects that with a message. */
export function requestJson(body: Buffer | string | null): unknown {
  try {
    return strictJson(body ?? "")
  } catch {
    return undefined
  }
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): SandboxResponse {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value),
  }
}

/** JSON error response of the offshore API: a code for programs and a message for developers. */
export function errorResponse(
  status: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
) {
  return json(status, { error: { code, message } }, headers)
}

export function seeOther(location: string): SandboxResponse {
  return { status: 303, headers: { location }, body: "" }
}

/** Sends a response; omits the body for HEAD. */
export function send(
  { request, response }: Omit<Exchange, "params">,
  { status, headers, body }: SandboxResponse,
) {
  // If the request body was not read completely, the connection cannot be reused.
  const close = request.complete ? {} : { connection: "close" }
  const length = { "content-length": String(Buffer.byteLength(body)) }
  response.writeHead(status, { ...SAFE_HEADERS, ...length, ...close, ...headers })
  response.end(request.method === "HEAD" ? undefined : body)
}
