/** Kinds of pictures that can be a logo. */
export type LogoKind = "png" | "svg"

/** A picture's kind, its own size, in its own units, and whether it has colours for dark mode. */
export type LogoImage = {
  readonly kind: LogoKind
  readonly width: number
  readonly height: number
  readonly isForDark: boolean
}

/** The logo loads with every first page, so its size delays the page. */
export const MAX_LOGO_BYTES = 60_000

/** What the bytes of a file are; null: neither a PNG nor an SVG with a `viewBox`. */
export function logoImageIn(bytes: Uint8Array): LogoImage | null {
  return pngIn(bytes) ?? svgIn(bytes)
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function pngIn(bytes: Uint8Array): LogoImage | null {
  if (bytes.length < 24 || PNG.some((byte, at) => bytes[at] !== byte)) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return imageOf("png", view.getUint32(16), view.getUint32(20))
}

function svgIn(bytes: Uint8Array): LogoImage | null {
  const text = textOf(bytes)
  const [tag = ""] = /<svg\b[^>]*>/.exec(text) ?? []
  const box =
    /\bviewBox=["']([^"']*)["']/
      .exec(tag)?.[1]
      ?.trim()
      .split(/[\s,]+/) ?? []
  return imageOf("svg", Number(box[2]), Number(box[3]), DARK_COLOURS.test(text))
}

/** In the style sheet of an SVG. */
const DARK_COLOURS = /prefers-color-scheme|light-dark\(/

function imageOf(kind: LogoKind, width: number, height: number, isForDark = false): LogoImage | null {
  return width > 0 && height > 0 ? { kind, width, height, isForDark } : null
}

const ACTIVE = /<script|<foreignobject|<!doctype|<!entity|\son[a-z]+\s*=|javascript:|<iframe|<embed|<object/i

/**
 * Whether an SVG has anything that could run or load something if it were opened as a page. Pages show a logo as a picture, in
 * which nothing runs, and its address has a policy by which nothing may: this is for people who save the file.
 */
export function isActive(bytes: Uint8Array): boolean {
  return ACTIVE.test(textOf(bytes))
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
