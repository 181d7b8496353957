import type { Transform } from "node:stream"
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from "node:zlib"

/** Below this, compressing costs more than it saves. */
const WORTH_COMPRESSING = 1_000

/** For bytes that are sent once: the default setting would take longer than all the rest of the request (design, section 9). */
const ONCE = { brotli: 1, gzip: 1 }
/** For bytes that are sent often. */
const OFTEN = { brotli: 9, gzip: 9 }

export type Encoding = "br" | "gzip"

/** Bytes that are packed when they are first asked for so, and then kept. */
export type Compressed = { readonly plain: Buffer; as(encoding: Encoding): Buffer }

/** How the client wants it packed; null: as it is. */
export function encodingFor(accepted: string | undefined, body: Buffer): Encoding | null {
  if (body.length < WORTH_COMPRESSING) return null
  return preferred.find((encoding) => accepts(accepted, encoding)) ?? null
}

/** The smaller one first. */
const preferred: readonly Encoding[] = ["br", "gzip"]
const named: Record<Encoding, RegExp> = { br: /\bbr\b/, gzip: /\bgzip\b/ }

/** Whether a client that says what it accepts can unpack it. */
export function accepts(accepted: string | undefined, encoding: Encoding): boolean {
  return accepted !== undefined && named[encoding].test(accepted)
}

/** Packs what is sent this once. */
export function pack(body: Buffer, encoding: Encoding, quality = ONCE): Buffer {
  if (encoding === "gzip") return gzipSync(body, { level: quality.gzip })
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality.brotli } })
}

/** Above this, in bytes, compressing holds up everybody for so long that it is done piece by piece, beside other work. */
export const LARGE = 250_000

/** Packs what is sent this once and is large. */
export function packing(encoding: Encoding): Transform {
  if (encoding === "gzip") return createGzip({ level: ONCE.gzip })
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: ONCE.brotli } })
}

/** Packs what is sent again and again. */
export function compressed(plain: Buffer): Compressed {
  const kept = new Map<Encoding, Buffer>()
  return {
    plain,
    as(encoding) {
      const bytes = kept.get(encoding) ?? pack(plain, encoding, OFTEN)
      kept.set(encoding, bytes)
      return bytes
    },
  }
}
