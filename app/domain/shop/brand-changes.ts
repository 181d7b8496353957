import { logoImageIn } from "./logo-image"
import { type BrandContent, brandSections, bytesOfLogo } from "./shop-sections"

/** Longer texts are cut: what is different is in the versions. */
const LONGEST = 100

/** What is different between two states, a line each, in words for operators; empty if nothing is. */
export function brandChanges(before: BrandContent, after: BrandContent): readonly string[] {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  const places = [...new Set([...was.keys(), ...is.keys()])]
  return places.flatMap((place) => {
    const [old, now] = [was.get(place) ?? "–", is.get(place) ?? "–"]
    return old === now ? [] : [`${place}: ${cut(old)} → ${cut(now)}`]
  })
}

/** Every value by its place in the shop file. A section that the console has not set is one value. */
function valuesOf(content: BrandContent): ReadonlyMap<string, string> {
  return new Map(
    brandSections.flatMap((section) => {
      const value = content[section]
      return value === undefined
        ? [[section, "as in the shop file"] as const]
        : [[section, "set here"] as const, ...valuesIn(value, section)]
    }),
  )
}

function valuesIn(value: unknown, place: string): readonly (readonly [string, string])[] {
  if (value === null || value === undefined) return []
  if (place === "brand.logo.data") return [[place, pictureText(String(value))]]
  if (typeof value !== "object") return [[place, String(value)]]
  return Object.entries(value).flatMap(([name, it]) => valuesIn(it, `${place}.${name}`))
}

/** A picture in words. Its last bytes tell two of the same size apart. */
function pictureText(data: string): string {
  const bytes = bytesOfLogo(data)
  const image = logoImageIn(bytes)
  return `${image?.kind.toUpperCase()} ${image?.width}×${image?.height}, ${bytes.length} bytes (${sumOf(bytes)})`
}

/** Adler-32 (RFC 1950): tells pictures apart, and protects nothing. */
function sumOf(bytes: Uint8Array): string {
  let [one, two] = [1, 0]
  for (const byte of bytes) {
    one = (one + byte) % 65_521
    two = (two + one) % 65_521
  }
  return (two * 65_536 + one).toString(16)
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
