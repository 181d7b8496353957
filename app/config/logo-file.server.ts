import { createHash } from "node:crypto"
import type { Logo } from "~/domain/shop/brand"
import { type LogoKind, logoImageIn, MAX_LOGO_BYTES } from "~/domain/shop/logo-image"
import { readSettingFile } from "./setting-file.server"

/** A logo with its content type and bytes. */
export type LogoFile = Logo & { readonly type: string; readonly bytes: Buffer }

const HEIGHT = 32
const WIDEST = 200

const types: Readonly<Record<LogoKind, string>> = { png: "image/png", svg: "image/svg+xml" }

/** Reads the operator's logo. Throws if it cannot be used. */
export function readLogo(file: string, shown: Pick<Logo, "withName">): LogoFile {
  const bytes = readSettingFile("logo", file)
  if (bytes.length > MAX_LOGO_BYTES)
    throw new Error(`Invalid logo ${file}: larger than ${MAX_LOGO_BYTES / 1000} kB`)
  const logo = logoOf(bytes, shown)
  if (!logo) throw new Error(`Invalid logo ${file}: must be a PNG or an SVG with a viewBox`)
  return logo
}

/** A picture as the pages show it, at an address with the hash of its bytes; null for other files. */
export function logoOf(bytes: Buffer, { withName }: Pick<Logo, "withName">): LogoFile | null {
  const image = logoImageIn(bytes)
  if (!image) return null
  const width = Math.min(WIDEST, Math.round((HEIGHT * image.width) / image.height))
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 12)
  const path = `/logo-${hash}.${image.kind}`
  return { path, type: types[image.kind], bytes, width, height: HEIGHT, withName, isForDark: image.isForDark }
}
