import type { IncomingMessage, ServerResponse } from "node:http"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { bodyOf } from "~/written-page.server"

/** Below this, compressing costs more than it saves. */
const WORTH_COMPRESSING = 1_000

/** The fastest setting: the default one would take longer than all the rest of the request (design, section 9). */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** Writes headers and body of a finished response in one piece, compressed as the client likes it. */
export async function sendResponse(
  response: Response,
  from: IncomingMessage,
  to: ServerResponse,
): Promise<void> {
  const body = await bodyOf(response)
  const packed = body && isText(response) ? compress(body, from.headers["accept-encoding"]) : null
  writeHeaders(response, to)
  if (packed) {
    to.setHeader("content-encoding", packed.encoding)
    to.appendHeader("vary", "accept-encoding")
  }
  const bytes = packed?.body ?? body ?? Buffer.alloc(0)
  if (body) to.setHeader("content-length", bytes.length)
  to.end(from.method === "HEAD" ? undefined : bytes)
}

function writeHeaders(response: Response, to: ServerResponse): void {
  for (const [name, value] of response.headers) if (name !== "set-cookie") to.setHeader(name, value)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) to.setHeader("set-cookie", cookies)
}

function isText(response: Response): boolean {
  const type = response.headers.get("content-type") ?? ""
  return /^(text\/|application\/(json|xml|vnd\.apple\.mpegurl)|audio\/x-mpegurl|image\/svg)/.test(type)
}

function compress(body: Buffer, accepted: string | undefined): { encoding: string; body: Buffer } | null {
  if (body.length < WORTH_COMPRESSING || !accepted) return null
  if (/\bbr\b/.test(accepted)) return { encoding: "br", body: brotliCompressSync(body, BROTLI) }
  if (/\bgzip\b/.test(accepted)) return { encoding: "gzip", body: gzipSync(body, { level: 1 }) }
  return null
}
