/** A colour as red, green and blue, 0 to 255 each. */
type Colour = readonly [number, number, number]

/** As `#405db1`. */
export type Hex = `#${string}`

/** Minimum contrast of text of any size (WCAG 2.2, 1.4.3). */
export const READABLE = 4.5

/** Contrast ratio: 1 for equal colours, 21 for black and white (WCAG 2.2). */
export function contrast(one: Hex, other: Hex): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Mixes `share` of one colour with the other, as `color-mix` in sRGB does. */
export function mixed(one: Hex, other: Hex, share: number): Hex {
  const [a, b] = [partsOf(one), partsOf(other)]
  const parts = a.map((part, index) => Math.round(part * share + (b[index] ?? 0) * (1 - share)))
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`
}

/** Whether white is easier to read on a colour than black. */
export function isDark(colour: Hex): boolean {
  return contrast(colour, "#ffffff") > contrast(colour, "#000000")
}

/** Below this difference of its strongest and weakest part, of 255, a colour is seen as a grey. */
const HUE = 40

/** Whether a colour is seen as a grey: see `HUE`. */
export function isGrey(colour: Hex): boolean {
  const parts = partsOf(colour)
  return Math.max(...parts) - Math.min(...parts) < HUE
}

function luminance(colour: Hex): number {
  const [red, green, blue] = partsOf(colour).map(linear)
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function partsOf(colour: Hex): Colour {
  const at = (place: number) => Number.parseInt(colour.slice(place, place + 2), 16)
  return [at(1), at(3), at(5)]
}
