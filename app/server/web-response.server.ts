import type { IncomingMessage, ServerResponse } from "node:http"
import { pipeline } from "node:stream/promises"
import { writeReadableStreamToWritable } from "@react-router/node"
import {
  accepts,
  type Encoding,
  encodingFor,
  LARGE,
  pack,
  packing,
  preferredEncoding,
} from "~/http/compression.server"
import { isStreamed } from "~/http/streamed-response.server"
import type { FirstPage } from "~/ssr/anonymous-page-cache.server"
import { bodyOf, gzipOf } from "~/ssr/rendered-page.server"

/** Bytes that are compressed at a time. */
const PIECE = 64_000

/**
 * Writes headers and body of a finished response in one call, compressed by content negotiation. A response with a prepared
 * gzip body uses it: it is smaller than brotli at the level that fits a request.
 */
export async function sendResponse(
  response: Response,
  from: IncomingMessage,
  to: ServerResponse,
): Promise<void> {
  writeHeaders(response, to)
  if (isStreamed(response)) return sendStreamed(response, from, to)
  const ready = accepts(from.headers["accept-encoding"], "gzip") ? gzipOf(response) : null
  if (ready) return writeBody({ bytes: ready, encoding: "gzip" }, from, to)
  const body = await bodyOf(response)
  if (!body) return void to.end()
  const encoding = isText(response) ? encodingFor(from.headers["accept-encoding"], body) : null
  if (encoding && body.length > LARGE) return sendPiecewise(body, encoding, from, to)
  const bytes = encoding ? pack(body, encoding) : body
  writeBody({ bytes, encoding }, from, to)
}

/**
 * Sends a body as it comes, compressed outside of the event loop. A source that fails destroys the connection: a client
 * must not take a part for the whole. Throws the source's error; a client that disconnects causes none.
 */
async function sendStreamed(response: Response, from: IncomingMessage, to: ServerResponse): Promise<void> {
  const { body } = response
  const encoding = isText(response) ? preferredEncoding(from.headers["accept-encoding"]) : null
  if (encoding) describeEncoding(encoding, to)
  if (!body || from.method === "HEAD") {
    await discard(body)
    return void to.end()
  }
  await writeStream(body, encoding, to).catch((error: unknown) => {
    if (to.errored || !to.destroyed) throw error
  })
}

/** Ends a source that may not have begun: only a source that has begun can release what it holds. */
async function discard(body: ReadableStream<Uint8Array> | null): Promise<void> {
  const reader = body?.getReader()
  await reader?.read()
  await reader?.cancel()
}

async function writeStream(
  body: ReadableStream<Uint8Array>,
  encoding: Encoding | null,
  to: ServerResponse,
): Promise<void> {
  if (!encoding) return writeReadableStreamToWritable(body, to)
  const packer = packing(encoding)
  // Both have ended when one has failed; the first error is the source's.
  const ends = await Promise.allSettled([writeReadableStreamToWritable(body, packer), pipeline(packer, to)])
  for (const end of ends) if (end.status === "rejected") throw end.reason
}

/** Compresses as a stream, without `content-length`. A client that disconnects ends it without an error. */
async function sendPiecewise(
  body: Buffer,
  encoding: Encoding,
  from: IncomingMessage,
  to: ServerResponse,
): Promise<void> {
  describeEncoding(encoding, to)
  if (from.method === "HEAD") return void to.end()
  await pipeline(textParts(body), packing(encoding), to).catch((error: unknown) => {
    if (!to.destroyed) throw error
  })
}

function* textParts(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += PIECE) yield body.subarray(start, start + PIECE)
}

/** Writes a page of the anonymous page cache. */
export function sendFirstPage({ headers, body }: FirstPage, from: IncomingMessage, to: ServerResponse): void {
  for (const [name, value] of headers) to.setHeader(name, value)
  const encoding = encodingFor(from.headers["accept-encoding"], body.plain)
  writeBody({ bytes: encoding ? body.as(encoding) : body.plain, encoding }, from, to)
}

type Body = { bytes: Buffer; encoding: Encoding | null }

function writeBody({ bytes, encoding }: Body, from: IncomingMessage, to: ServerResponse): void {
  if (encoding) describeEncoding(encoding, to)
  to.setHeader("content-length", bytes.length)
  to.end(from.method === "HEAD" ? undefined : bytes)
}

function describeEncoding(encoding: Encoding, to: ServerResponse): void {
  to.setHeader("content-encoding", encoding)
  to.appendHeader("vary", "accept-encoding")
}

function writeHeaders(response: Response, to: ServerResponse): void {
  for (const [name, value] of response.headers) if (name !== "set-cookie") to.setHeader(name, value)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) to.setHeader("set-cookie", cookies)
}

function isText({ headers }: Pick<Response, "headers">): boolean {
  const type = headers.get("content-type") ?? ""
  return /^(text\/|application\/(json|xml|vnd\.apple\.mpegurl)|audio\/x-mpegurl|image\/svg)/.test(type)
}
