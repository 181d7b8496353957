import { constants, crc32, deflateRawSync } from "node:zlib"
import { ownCopy } from "./own-bytes.server"

/** DEFLATE window in bytes (RFC 1951). */
const WINDOW = 32_768
/** gzip header: DEFLATE, no name, no time, best compression, unknown operating system (RFC 1952). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])
/** Empty final block. */
const END = Buffer.from([3, 0])
/** Stands for a placeholder in the compression window: no UTF-8 text has this byte, so no match refers to it. */
const NO_TEXT = 0xff

/** Static bytes, or a placeholder for a visitor's value: its length in bytes, or null for any length. */
export type TemplatePart = Buffer | { readonly placeholder: number | null }

/** The page with a visitor's values, in the order of its placeholders. */
export function fillTemplate(parts: readonly TemplatePart[], values: readonly string[]): Buffer {
  const left = values.values()
  return Buffer.concat(parts.map((it) => ("placeholder" in it ? Buffer.from(left.next().value ?? "") : it)))
}

/**
 * Compresses a page template once and returns a function that inserts per-visitor values, in the order of the
 * placeholders, as stored (uncompressed) DEFLATE blocks. A page costs no more than its checksum. Values never share a
 * compression window with the page, which prevents BREACH-style length leaks. Throws `RangeError` for a value that does
 * not fit its placeholder.
 */
export function gzipTemplate(parts: readonly TemplatePart[]): (values: readonly string[]) => Buffer {
  const compressed = compressTemplate(parts)
  return (values) => {
    const left = values.values()
    const parts = compressed.map((part) =>
      "placeholder" in part ? stored(left.next().value ?? "", part.placeholder) : part,
    )
    return gzipOfParts(parts)
  }
}

/** Bytes of a page, and their compressed form: byte-aligned DEFLATE blocks of which none is final. */
export type GzipPart = { readonly plain: Buffer; readonly compressed: Buffer }

/** A gzip file of parts. */
export function gzipOfParts(parts: readonly GzipPart[]): Buffer {
  const crc = parts.reduce((sum, { plain }) => crc32(plain, sum), 0)
  const size = parts.reduce((sum, { plain }) => sum + plain.length, 0)
  return Buffer.concat([HEADER, ...parts.map((part) => part.compressed), END, trailer(crc, size)])
}

export function compressTemplate(
  parts: readonly TemplatePart[],
): readonly (GzipPart | { readonly placeholder: number | null })[] {
  let before = Buffer.alloc(0)
  return parts.map((part) => {
    if ("placeholder" in part) {
      // After a value of unknown length, match distances to earlier bytes are unknown: the window starts empty.
      before =
        part.placeholder === null
          ? Buffer.alloc(0)
          : Buffer.concat([before, Buffer.alloc(part.placeholder, NO_TEXT)])
      return part
    }
    const compressed = compressedPart(part, { before, level: constants.Z_BEST_COMPRESSION })
    before = Buffer.concat([before, part])
    return compressed
  })
}

/** Compresses a part to byte-aligned blocks (sync flush) that may refer to the bytes before it. */
export function compressedPart(
  plain: Buffer,
  { before = Buffer.alloc(0), level }: { readonly before?: Buffer; readonly level: number },
): GzipPart {
  const dictionary = before.subarray(-WINDOW)
  const compressed = deflateRawSync(plain, {
    level,
    finishFlush: constants.Z_SYNC_FLUSH,
    ...(dictionary.length > 0 && { dictionary }),
  })
  return { plain, compressed: ownCopy(compressed) }
}

/** Maximum length of a stored block (RFC 1951, section 3.2.4). */
const MAX_STORED = 0xffff

/** A value as a stored, non-final block: length, its one's complement, and the bytes. */
function stored(values: string, placeholder: number | null): GzipPart {
  const plain = Buffer.from(values)
  const { length } = plain
  if ((placeholder !== null && length !== placeholder) || length > MAX_STORED)
    throw new RangeError(`Cannot insert ${length} bytes into a placeholder of ${placeholder ?? MAX_STORED}`)
  if (length === 0) return { plain, compressed: plain }
  const head = Buffer.alloc(5)
  head.writeUInt16LE(length, 1)
  head.writeUInt16LE(~length & MAX_STORED, 3)
  return { plain, compressed: Buffer.concat([head, plain]) }
}

function trailer(crc: number, size: number): Buffer {
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc, 0)
  end.writeUInt32LE(size, 4)
  return end
}
