import { LRUCache } from "lru-cache"
import { renderSVG } from "uqr"

/** A waiting page is shown again and again with the same link, and drawing it costs a fifth of the page. */
const drawn = new LRUCache<string, string>({ max: 500 })

/** A link as a QR code: an SVG document. */
export function qrOf(link: string): string {
  const known = drawn.get(link)
  if (known) return known
  const svg = renderSVG(link, { border: 1 })
  drawn.set(link, svg)
  return svg
}
