import { createHash } from "node:crypto"
import { z } from "zod"
import type { Logo } from "~/domain/shop/brand"
import { readSettingFile } from "./setting-file.server"

/** A logo with its content type and bytes. */
export type LogoFile = Logo & { readonly type: string; readonly bytes: Buffer }

/** The logo loads with every first page, so its size delays the page. */
const MAX_LOGO_BYTES = 60_000
const HEIGHT = 32
const WIDEST = 200

type Size = { readonly width: number; readonly height: number }
type Kind = { readonly ending: string; readonly type: string; size(bytes: Buffer): Size | null }

const kinds: readonly Kind[] = [
  { ending: "png", type: "image/png", size: sizeOfPng },
  { ending: "svg", type: "image/svg+xml", size: sizeOfSvg },
]

/** Reads the operator's logo. Throws if it cannot be used. */
export function readLogo(file: string, { withName }: Pick<Logo, "withName">): LogoFile {
  const bytes = readSettingFile("logo", file)
  if (bytes.length > MAX_LOGO_BYTES)
    throw new Error(`Invalid logo ${file}: larger than ${MAX_LOGO_BYTES / 1000} kB`)
  for (const { ending, type, size } of kinds) {
    const real = size(bytes)
    if (!real) continue
    const width = Math.min(WIDEST, Math.round((HEIGHT * real.width) / real.height))
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 12)
    return { path: `/logo-${hash}.${ending}`, type, bytes, width, height: HEIGHT, withName }
  }
  throw new Error(`Invalid logo ${file}: must be a PNG or an SVG with a viewBox`)
}

const PNG = Buffer.from("89504e470d0a1a0a", "hex")

function sizeOfPng(bytes: Buffer): Size | null {
  if (!bytes.subarray(0, 8).equals(PNG) || bytes.length < 24) return null
  return sizeOf(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

function sizeOfSvg(bytes: Buffer): Size | null {
  const [tag = ""] = /<svg\b[^>]*>/.exec(bytes.toString("utf8")) ?? []
  const box =
    /\bviewBox=["']([^"']*)["']/
      .exec(tag)?.[1]
      ?.trim()
      .split(/[\s,]+/) ?? []
  return sizeOf(box[2], box[3])
}

const Length = z.coerce.number().positive()

function sizeOf(wide: unknown, high: unknown): Size | null {
  const parsed = z.object({ width: Length, height: Length }).safeParse({ width: wide, height: high })
  return parsed.data ?? null
}
