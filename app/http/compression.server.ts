import type { Transform } from "node:stream"
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from "node:zlib"

/** Below this, compressing costs more than it saves. */
const WORTH_COMPRESSING = 1_000

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants

/** Levels for bodies sent once: the default levels would take longer than the rest of the request. */
const ONCE = { brotli: { [BROTLI_PARAM_QUALITY]: 1 }, gzip: { level: 1 } }
/**
 * Levels for cached bodies. A window of 64 KiB (16 bits) is about a page. With brotli's usual one of 4 MiB the tables of this level take
 * 33 MB, of which a page touches each part: 13 ms instead of 1, for the same bytes.
 */
const OFTEN = { brotli: { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_LGWIN]: 16 }, gzip: { level: 9 } }

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
/** A coding and its weight (RFC 9110, section 12.5.3). */
const named: Record<Encoding, RegExp> = {
  br: weighted("br"),
  gzip: weighted("gzip"),
}

function weighted(coding: string): RegExp {
  return new RegExp(`(?:^|,)\\s*${coding}\\s*(?:;\\s*q=(?!0(?:\\.0{0,3})?\\s*(?:,|$))|,|$)`, "i")
}

/** Whether an Accept-Encoding header accepts an encoding: a weight of zero refuses it. */
export function accepts(accepted: string | undefined, encoding: Encoding): boolean {
  return accepted !== undefined && named[encoding].test(accepted)
}

/** Compresses a body that is sent once. */
export function pack(body: Buffer, encoding: Encoding, levels: typeof ONCE = ONCE): Buffer {
  if (encoding === "gzip") return gzipSync(body, levels.gzip)
  return brotliCompressSync(body, { params: levels.brotli })
}

/** Size in bytes above which a body is compressed as a stream, since it would block the event loop. */
export const LARGE = 250_000

/** Compression stream for a large body that is sent once. */
export function packing(encoding: Encoding): Transform {
  if (encoding === "gzip") return createGzip(ONCE.gzip)
  return createBrotliCompress({ params: ONCE.brotli })
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
