import type { IncomingMessage, ServerResponse } from "node:http"

const MAX_BODY = 64 * 1024

/** One request to the sandbox and the one answer to it. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The parts of the path that the route leaves open. */
  readonly params: Readonly<Record<string, string>>
}

export type SandboxResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Holds for every answer; pages add what they need. */
const SAFE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
}

/** The body as bytes; null when it is larger than anything a shop has to say. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop must not close the connection: the answer still has to go out on it.
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

export function json(status: number, value: unknown, headers: Record<string, string> = {}): SandboxResponse {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value),
  }
}

/** An error as the API tells it: a word for programs and a sentence for people. */
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

/** Writes an answer once; to HEAD without its body. */
export function send(
  { request, response }: Omit<Exchange, "params">,
  { status, headers, body }: SandboxResponse,
) {
  // Whoever sends more than is read gets his answer and then has to come again.
  const close = request.complete ? {} : { connection: "close" }
  const length = { "content-length": String(Buffer.byteLength(body)) }
  response.writeHead(status, { ...SAFE_HEADERS, ...length, ...close, ...headers })
  response.end(request.method === "HEAD" ? undefined : body)
}
