import { constants, crc32, deflateRawSync } from "node:zlib"

/** How far back whoever unpacks remembers (RFC 1951). */
const WINDOW = 32_768
/** By deflate, without a name or a time, packed as well as it can be, on a system that does not matter (RFC 1952). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])
/** The last block, with nothing in it. */
const END = Buffer.from([3, 0])
/** In the place of a reader's words while the rest is packed: no text has this byte, so nothing is packed as a copy of it. */
const NO_TEXT = 0xff

/** Words that are the same for everybody, or a gap for a reader's own: so many bytes, or null for as many as he has. */
export type TemplatePart = Buffer | { readonly gap: number | null }

/** A page with a reader's words, in the order of its gaps. */
export function fillTemplate(pieces: readonly TemplatePart[], words: readonly string[]): Buffer {
  const left = words.values()
  return Buffer.concat(pieces.map((it) => ("gap" in it ? Buffer.from(left.next().value ?? "") : it)))
}

/**
 * Packs a page with gaps once. Gives what makes it a gzip file for a reader by his words, in the order of the gaps: they
 * are put between the packed bytes as they are, so that each page costs no more than its check sum, and nobody can read
 * off the length of a page how alike its words are. Throws a `RangeError` for words that do not fit their gap.
 */
export function gzipTemplate(pieces: readonly TemplatePart[]): (words: readonly string[]) => Buffer {
  const packed = packedPieces(pieces)
  return (words) => {
    const left = words.values()
    const parts = packed.map((piece) => ("gap" in piece ? stored(left.next().value ?? "", piece.gap) : piece))
    const crc = parts.reduce((sum, { plain }) => crc32(plain, sum), 0)
    const size = parts.reduce((sum, { plain }) => sum + plain.length, 0)
    return Buffer.concat([HEADER, ...parts.map((part) => part.packed), END, trailer(crc, size)])
  }
}

/** Bytes of a page, and what stands for them in the file. */
type Part = { readonly plain: Buffer; readonly packed: Buffer }

function packedPieces(pieces: readonly TemplatePart[]): readonly (Part | { readonly gap: number | null })[] {
  let before = Buffer.alloc(0)
  return pieces.map((piece) => {
    if ("gap" in piece) {
      // Behind words of any length, nobody knows how far back the others are.
      before =
        piece.gap === null ? Buffer.alloc(0) : Buffer.concat([before, Buffer.alloc(piece.gap, NO_TEXT)])
      return piece
    }
    const packed = packedAfter(before, piece)
    before = Buffer.concat([before, piece])
    return { plain: piece, packed }
  })
}

/** Whole blocks that refer to what has been before, and end with a byte. */
function packedAfter(before: Buffer, plain: Buffer): Buffer {
  const dictionary = before.subarray(-WINDOW)
  return deflateRawSync(plain, {
    ...{ level: constants.Z_BEST_COMPRESSION, finishFlush: constants.Z_SYNC_FLUSH },
    ...(dictionary.length > 0 && { dictionary }),
  })
}

const LONGEST_STORED = 0xffff

/** Words as they are, in a block that is not the last one: its length, the same upside down, and the words. */
function stored(words: string, gap: number | null): Part {
  const plain = Buffer.from(words)
  const { length } = plain
  if ((gap !== null && length !== gap) || length > LONGEST_STORED)
    throw new RangeError(`${length} bytes do not fit a gap of ${gap ?? LONGEST_STORED}`)
  if (length === 0) return { plain, packed: plain }
  const head = Buffer.alloc(5)
  head.writeUInt16LE(length, 1)
  head.writeUInt16LE(~length & LONGEST_STORED, 3)
  return { plain, packed: Buffer.concat([head, plain]) }
}

function trailer(crc: number, size: number): Buffer {
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc, 0)
  end.writeUInt32LE(size, 4)
  return end
}
