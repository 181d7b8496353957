import type { Transform } from "node:stream"
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from "node:zlib"

/** Below this, compressing costs more than it saves. */
const WORTH_COMPRESSING = 1_000

/** Levels for bodies sent once: the default levels would take longer than the rest of the request. */
const ONCE = { brotli: 1, gzip: 1 }
/** Levels for cached bodies. */
const OFTEN = { brotli: 9, gzip: 9 }

export type Encoding = "br" | "gzip"

/** A body whose compressed forms are computed on first use and cached. */
export type Compressed = { readonly plain: Buffer; as(encoding: Encoding): Buffer }

/** Negotiated content encoding; null: identity. */
export function encodingFor(accepted: string | undefined, body: Buffer): Encoding | null {
  if (body.length < WORTH_COMPRESSING) return null
  return preferredEncoding(accepted)
}

/** The same for a body of unknown length. */
export function preferredEncoding(accepted: string | undefined): Encoding | null {
  return preferred.find((encoding) => accepts(accepted, encoding)) ?? null
}

/** Better compression first. */
const preferred: readonly Encoding[] = ["br", "gzip"]
const named: Record<Encoding, RegExp> = { br: /\bbr\b/, gzip: /\bgzip\b/ }

/** Whether an Accept-Encoding header accepts an encoding. */
export function accepts(accepted: string | undefined, encoding: Encoding): boolean {
  return accepted !== undefined && named[encoding].test(accepted)
}

/** Compresses a body that is sent once. */
export function pack(body: Buffer, encoding: Encoding, quality = ONCE): Buffer {
  if (encoding === "gzip") return gzipSync(body, { level: quality.gzip })
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality.brotli } })
}

/** Size in bytes above which a body is compressed as a stream, since it would block the event loop. */
export const LARGE = 250_000

/** Compression stream for a large body that is sent once. */
export function packing(encoding: Encoding): Transform {
  if (encoding === "gzip") return createGzip({ level: ONCE.gzip })
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: ONCE.brotli } })
}

/** Wraps a body that is sent often. */
export function compressed(plain: Buffer): Compressed {
  const cached = new Map<Encoding, Buffer>()
  return {
    plain,
    as(encoding) {
      const bytes = cached.get(encoding) ?? pack(plain, encoding, OFTEN)
      cached.set(encoding, bytes)
      return bytes
    },
  }
}
