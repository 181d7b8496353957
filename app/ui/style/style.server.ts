import { type BrandColours, type Shades, shadesOf } from "~/domain/shop/brand-colours"
import account from "./account.css?inline"
import controls from "./controls.css?inline"
import { fallbackFontFace } from "./fonts.server"
import frame from "./layout.css?inline"
import screens from "./screens.css?inline"
import service from "./service.css?inline"
import tokens from "./tokens.css?inline"

const sheets = `${fallbackFontFace}${tokens}${frame}${controls}${screens}${account}${service}`
const known = new WeakMap<BrandColours, Appearance>()

/** `themeColours`: for `theme-color`. */
type Appearance = {
  readonly style: string
  readonly themeColours: { readonly light: string; readonly dark: string }
}

/**
 * Style sheet in the operator's colours, without fonts; cached. It is inlined into each page, since a second request would
 * double the wait on a phone.
 */
export function stylesFor(colours: BrandColours): Appearance {
  const worked = known.get(colours)
  if (worked) return worked
  const { light, dark } = shadesOf(colours)
  const style = `${tokensOf(light)}@media screen and (prefers-color-scheme:dark){${tokensOf(dark)}}${sheets}`
  const appearance = { style, themeColours: { light: light.brand, dark: dark.brand } }
  known.set(colours, appearance)
  return appearance
}

function tokensOf({ brand, onBrand, pressed, ink, wash }: Shades): string {
  return `:root{--brand:${brand};--on-brand:${onBrand};--pressed:${pressed};--brand-ink:${ink};--wash:${wash}}`
}
