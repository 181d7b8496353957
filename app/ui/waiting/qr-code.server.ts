import { LRUCache } from "lru-cache"
import { encode } from "uqr"

/** Cached, since waiting pages repeat the same link, and drawing costs a fifth of the page. */
const drawn = new LRUCache<string, string>({ max: 500 })

/**
 * One of the eight masks of ISO/IEC 18004, a checkerboard. A reader reads any of them, and comparing all eight takes nine tenths
 * of the drawing.
 */
const MASK = 0

/** Light modules on each side, by which a reader finds the code, also on a dark page: ISO/IEC 18004. */
const QUIET_ZONE = 4

/** Pixels of a module: on a screen without a higher density a phone does not read fewer, nor modules of unequal widths. */
const MODULE = 3

/** QR code of a link as an SVG element of an HTML page, as large as its modules need. */
export function qrOf(link: string): string {
  const known = drawn.get(link)
  if (known) return known
  const { data, size } = encode(link, { border: QUIET_ZONE, maskPattern: MASK })
  const strokes = data.map(strokesIn).join("")
  const svg = `<svg width="${size * MODULE}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${strokes}"/></svg>`
  drawn.set(link, svg)
  return svg
}

/**
 * Each run of dark modules in a row as one stroke, a third of the size of single squares. All but the first begin relative to the end
 * of the one before, since small numbers repeat: that is half the size compressed.
 */
function strokesIn(row: readonly boolean[], y: number): string {
  let strokes = ""
  let end = 0
  const modules = row.map(Number).join("")
  for (const { 0: run, index } of modules.matchAll(/1+/g)) {
    strokes += end === 0 ? `M${index} ${y}.5h${run.length}` : `m${index - end} 0h${run.length}`
    end = index + run.length
  }
  return strokes
}
