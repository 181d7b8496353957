import { LRUCache } from "lru-cache"
import { encode } from "uqr"

/** Cached, since waiting pages repeat the same link, and drawing costs a fifth of the page. */
const drawn = new LRUCache<string, string>({ max: 500 })

/**
 * One of the eight masks of ISO/IEC 18004, a checkerboard. A reader reads any of them, and comparing all eight takes nine tenths
 * of the drawing.
 */
const MASK = 0

/** QR code of a link as an SVG document. */
export function qrOf(link: string): string {
  const known = drawn.get(link)
  if (known) return known
  const { data, size } = encode(link, { border: 1, maskPattern: MASK })
  const runs = data.flatMap((row, y) => runsIn(row).map(({ from, length }) => `M${from} ${y}.5h${length}`))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${runs.join("")}"/></svg>`
  drawn.set(link, svg)
  return svg
}

/** Runs of dark modules, drawn as one stroke: a third of the size of single squares. */
function runsIn(row: readonly boolean[]): { from: number; length: number }[] {
  const runs: { from: number; length: number }[] = []
  for (const [x, dark] of row.entries()) {
    const last = runs.at(-1)
    if (!dark) continue
    if (last && last.from + last.length === x) last.length++
    else runs.push({ from: x, length: 1 })
  }
  return runs
}
