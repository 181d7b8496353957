import { convertIndexedToRgb, type DecodedPng, decode, encode } from "fast-png"
import { logoImageIn } from "~/domain/shop/logo-image"

type LogoBytes = { readonly bytes: Buffer }

/** A picture that a PDF can hold as it is, and its size in pixels. */
export type LogoPicture = { readonly bytes: Buffer; readonly width: number; readonly height: number }

/** Pixels of a logo that is decoded: 60 kB can claim billions of them. */
const MAX_PIXELS = 250_000

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
    return opaqueOf(decode(bytes))
  } catch {
    return null
  }
}

function opaqueOf(png: DecodedPng): LogoPicture | null {
  const { width, height } = png
  const samples = samplesOf(png)
  // Grey values of less than a byte share bytes.
  if (samples.data.length !== width * height * samples.channels) return null
  const data = overWhite(samples)
  return { bytes: Buffer.from(encode({ width, height, data, channels: 3 })), width, height }
}

/** Red, green and blue of each pixel over white. */
function overWhite({ data, channels, max }: Samples): Uint8Array {
  // Grey is the same of each colour.
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2]
  const hasAlpha = channels === 2 || channels === 4
  const opaque = new Uint8Array((data.length / channels) * 3)
  for (let at = 0, to = 0; at < data.length; at += channels, to += 3) {
    const alpha = hasAlpha ? (data[at + channels - 1] ?? max) : max
    opaque[to] = onWhite(data[at], alpha, max)
    opaque[to + 1] = onWhite(data[at + green], alpha, max)
    opaque[to + 2] = onWhite(data[at + blue], alpha, max)
  }
  return opaque
}

/** A value of at most `max` over white, of at most 255. */
function onWhite(value: number | undefined, alpha: number, max: number): number {
  return Math.round((255 * ((value ?? 0) * alpha + max * (max - alpha))) / (max * max))
}

type Samples = { readonly data: DecodedPng["data"]; readonly channels: number; readonly max: number }

/** The values of a picture and the largest that one can have; those of a palette are its colours. */
function samplesOf(png: DecodedPng): Samples {
  const { palette, data, channels, depth } = png
  if (palette === undefined) return { data, channels, max: 2 ** depth - 1 }
  return { data: convertIndexedToRgb(png), channels: palette[0]?.length ?? 0, max: 255 }
}
