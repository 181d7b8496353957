import { createHash } from "node:crypto"
import type { Logo } from "~/domain/shop/brand"
import { type LogoKind, logoImageIn, MAX_LOGO_BYTES } from "~/domain/shop/logo-image"
import { readSettingFile } from "./setting-file.server"

/** How the operator wants a logo shown. `plate`: on a white plate in dark mode, if it has no colours for it. */
type LogoSettings = { readonly withName: boolean; readonly plate: boolean }

/** A logo with its settings, content type and bytes. */
export type LogoFile = Logo & LogoSettings & { readonly type: string; readonly bytes: Buffer }

const HEIGHT = 32
const WIDEST = 200

const types: Readonly<Record<LogoKind, string>> = { png: "image/png", svg: "image/svg+xml" }

/** Reads the operator's logo. Throws if it cannot be used. */
export function readLogo(file: string, shown: LogoSettings): LogoFile {
  const bytes = readSettingFile("logo", file)
  if (bytes.length > MAX_LOGO_BYTES)
    throw new Error(`Invalid logo ${file}: larger than ${MAX_LOGO_BYTES / 1000} kB`)
  const logo = logoOf(bytes, shown)
  if (!logo) throw new Error(`Invalid logo ${file}: must be a PNG or an SVG with a viewBox`)
  return logo
}

/** A picture as the pages show it, at an address with the hash of its bytes; null for other files. */
export function logoOf(bytes: Buffer, { withName, plate }: LogoSettings): LogoFile | null {
  const image = logoImageIn(bytes)
  if (!image) return null
  const width = Math.min(WIDEST, Math.round((HEIGHT * image.width) / image.height))
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 12)
  const path = `/logo-${hash}.${image.kind}`
  const isForDark = image.isForDark || !plate
  return { path, type: types[image.kind], bytes, width, height: HEIGHT, withName, plate, isForDark }
}
