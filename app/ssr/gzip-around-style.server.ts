import { constants } from "node:zlib"
import { LRUCache } from "lru-cache"
import { LARGE } from "~/http/compression.server"
import { compressedPart, type GzipPart, gzipOfParts } from "./gzip-template.server"

/**
 * Of what is sent once. Level 4 takes little more than half of the time, and two hundred bytes more: what is visible of the German service
 * page would not always fit into what a server may send before the first acknowledgement.
 */
const LEVEL = 6

/** The style sheets of a shop's pages, compressed: three for each version of its brand. */
const styles = new LRUCache<string, GzipPart>({
  max: 20,
  memoMethod: (style) => compressedPart(Buffer.from(style), { level: constants.Z_BEST_COMPRESSION }),
})

/**
 * Compresses a page that is sent once, whose style sheet, about half of it, was compressed before: in the time that brotli's lowest level
 * takes it is a sixth smaller. Null if the page does not contain the style sheet, and for one that is so large that compressing it in
 * one go would hold the event loop.
 */
export function gzipAroundStyle(page: Buffer, style: string | null): Buffer | null {
  if (style === null || page.length > LARGE) return null
  const part = styles.memo(style)
  const from = page.indexOf(part.plain)
  if (from === -1) return null
  const [before, after] = [page.subarray(0, from), page.subarray(from + part.plain.length)]
  return gzipOfParts([
    compressedPart(before, { level: LEVEL }),
    part,
    compressedPart(after, { before: part.plain, level: LEVEL }),
  ])
}
