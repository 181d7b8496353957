import type { IncomingMessage } from "node:http"
import type { RejectionReason } from "~/context/request.server"
import { stripNul } from "~/http/strip-nul"
import { isSameOrigin } from "./same-origin.server"

/** Well above the largest form and the largest callback. */
export const MAX_BODY_BYTES = 64 * 1024

/** How much of a rejected body is still read, so that the client receives the response. */
const MAX_DRAINED_BYTES = 8 * 1024 * 1024

/** U+FFFD, for a NUL, which PostgreSQL text cannot contain. */
const REPLACEMENT = "%EF%BF%BD"

export type Incoming = { readonly request: Request; readonly rejection: RejectionReason | null }

/**
 * Converts a Node request to a web `Request`. The origin is the shop's public one, never the Host header's. The body is
 * read whole first. A body above `MAX_BODY_BYTES`, a cross-site form and a method other than GET, HEAD and POST become a GET request for
 * the same page with a `rejection`, so that the page can show the reason, and name the methods that it has. React Router would answer
 * OPTIONS and rarer methods before any middleware, and pass PUT, PATCH and DELETE to the same action as POST.
 */
export async function webRequest(incoming: IncomingMessage, publicUrl: string): Promise<Incoming> {
  const url = addressOf(incoming, publicUrl)
  const headers = webHeaders(incoming)
  const method = incoming.method ?? "GET"
  if (method === "GET" || method === "HEAD")
    return { request: new Request(url, { method, headers }), rejection: null }

  const body = await readBody(incoming)
  const rejection = reasonToReject(incoming, { body, publicUrl })
  // The origin has been checked against the public origin; React Router would compare it with Host.
  headers.delete("origin")
  if (rejection) return { request: new Request(url, { headers: withoutBody(headers) }), rejection }
  return { request: new Request(url, { method, headers, body }), rejection: null }
}

type Read = { readonly body: Buffer | null; readonly publicUrl: string }

function reasonToReject(
  { method, headers }: IncomingMessage,
  { body, publicUrl }: Read,
): RejectionReason | null {
  if (method !== "POST") return "method-not-allowed"
  if (body === null) return "too-large"
  return isSameOrigin(headers, publicUrl) ? null : "forbidden-origin"
}

function addressOf({ url: target = "/" }: IncomingMessage, publicUrl: string): URL {
  // A target with a host of its own would change the URL's origin.
  if (!target.startsWith("/")) throw new Error("Invalid request target: it must start with a slash")
  const url = new URL(publicUrl + target)
  // No address has one. It is replaced, since taking it out could leave another behind ("%0%000").
  if (url.pathname.includes("%00")) url.pathname = url.pathname.replaceAll("%00", REPLACEMENT)
  if (!url.search.includes("%00")) return url
  const body = [...url.searchParams].map(([name, value]) => [stripNul(name), stripNul(value)])
  url.search = new URLSearchParams(body).toString()
  return url
}

function webHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers()
  const raw = incoming.rawHeaders
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? ""
    if (!name.startsWith(":")) headers.append(name, raw[at + 1] ?? "")
  }
  return headers
}

function withoutBody(headers: Headers): Headers {
  for (const name of ["content-length", "content-type", "transfer-encoding"]) headers.delete(name)
  return headers
}

async function readBody(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer> | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes <= MAX_BODY_BYTES) parts.push(part)
    if (bytes > MAX_DRAINED_BYTES) break
  }
  return bytes <= MAX_BODY_BYTES ? Buffer.concat(parts) : null
}
