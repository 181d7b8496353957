import { convertIndexedToRgb, type DecodedPng, decode, encode } from "fast-png"
import { logoImageIn } from "~/domain/shop/logo-image"

type LogoBytes = { readonly bytes: Buffer }

/** A picture that a PDF can hold as it is, and its size in pixels. */
export type LogoPicture = { readonly bytes: Buffer; readonly width: number; readonly height: number }

/** Pixels of a logo that is decoded: 60 kB can claim billions of them. */
const MAX_PIXELS = 1_000_000

const known = new WeakMap<LogoBytes, LogoPicture | null>()

/**
 * The shop's logo on white, as an opaque PNG. Null for an SVG, and for a PNG that cannot be decoded or is too large: the name of the
 * shop stands in its place. A picture with transparency may not reach the PDF library, which decodes it in a callback, where an
 * error ends the process.
 */
export function logoPicture(logo: LogoBytes): LogoPicture | null {
  const former = known.get(logo)
  if (former !== undefined) return former
  const picture = pictureOf(logo.bytes)
  known.set(logo, picture)
  return picture
}

function pictureOf(bytes: Buffer): LogoPicture | null {
  const image = logoImageIn(bytes)
  if (image?.kind !== "png" || image.width * image.height > MAX_PIXELS) return null
  try {
    return onWhite(decode(bytes))
  } catch {
    return null
  }
}

function onWhite(png: DecodedPng): LogoPicture | null {
  const { width, height } = png
  const { data, channels, max } = samplesOf(png)
  // Grey values of less than a byte share bytes.
  if (data.length !== width * height * channels) return null
  const colours = channels === 2 || channels === 4 ? channels - 1 : channels
  const opaque = new Uint8Array(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = pixel * channels
    // Grey is the same of each colour; without a value for it a pixel is opaque.
    const [red = 0, green = red, blue = red] = data.subarray(at, at + colours)
    const [alpha = max] = data.subarray(at + colours, at + channels)
    const shown = [red, green, blue].map((value) => (255 * (value * alpha + max * (max - alpha))) / max ** 2)
    opaque.set(shown.map(Math.round), pixel * 3)
  }
  return { bytes: Buffer.from(encode({ width, height, data: opaque, channels: 3 })), width, height }
}

/** The values of a picture and the largest that one can have; those of a palette are its colours. */
function samplesOf(png: DecodedPng) {
  const { palette, data, channels, depth } = png
  if (palette === undefined) return { data, channels, max: 2 ** depth - 1 }
  return { data: convertIndexedToRgb(png), channels: palette[0]?.length ?? 0, max: 255 }
}
