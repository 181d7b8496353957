import { type BrandColours, type Shades, shadesOf } from "~/domain/shop/brand-colours"
import account from "./account.css?inline"
import console from "./console.css?inline"
import controls from "./controls.css?inline"
import customerView from "./customer-view.css?inline"
import document from "./document.css?inline"
import { fallbackFontFace } from "./fonts.server"
import later from "./later.css?inline"
import laterFile from "./later.css?url"
import layout from "./layout.css?inline"
import purchase from "./purchase.css?inline"
import screens from "./screens.css?inline"
import service from "./service.css?inline"
import tokens from "./tokens.css?inline"

/** The kind of screen whose rules are enough for the first paint of a page: until the payment, or of what was bought. */
export type FirstStyle = "purchase" | "service"

/** Of every screen. */
const base = `${fallbackFontFace}${tokens}${layout}${controls}${screens}`
const sheets = `${base}${later}`
const firstSheets = { purchase: `${base}${purchase}${account}`, service: `${base}${service}` } as const
const consoleSheets = `${fallbackFontFace}${tokens}${console}`
const documentSheets = `${fallbackFontFace}${tokens}${document}`
const known = new WeakMap<BrandColours, Appearance>()
const knownOfFirst = { purchase: new WeakMap(), service: new WeakMap() } as const
const knownOfViews = new WeakMap<BrandColours, Appearance>()
const knownOfConsole = new WeakMap<BrandColours, Appearance>()
const knownOfDocuments = new WeakMap<BrandColours, Appearance>()

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
  return appearanceOf(colours, sheets, known)
}

/**
 * Style sheet of the screens of one kind. With the rules of all of them their pages would not fit into what a server may send before the
 * browser's first acknowledgement, about 14 kB, and the first paint would be a round trip later.
 */
export function firstStylesFor(kind: FirstStyle, colours: BrandColours): Appearance {
  return appearanceOf(colours, firstSheets[kind], knownOfFirst[kind])
}

/** Address of the rules of all kinds. A buyer's browser asks for it once: the checkout and the service page have the same. */
export const laterStyleUrl: string = laterFile

/** Style sheet of a customer's page as an operator sees it. */
export function customerViewStyleFor(colours: BrandColours): Appearance {
  return appearanceOf(colours, `${sheets}${customerView}`, knownOfViews)
}

/** Style sheet of the operator's console. */
export function consoleStyleFor(colours: BrandColours): Appearance {
  return appearanceOf(colours, consoleSheets, knownOfConsole)
}

/** Style sheet of the page of an invoice or credit note. */
export function documentStyleFor(colours: BrandColours): Appearance {
  return appearanceOf(colours, documentSheets, knownOfDocuments)
}

function appearanceOf(
  colours: BrandColours,
  rules: string,
  cache: WeakMap<BrandColours, Appearance>,
): Appearance {
  const cached = cache.get(colours)
  if (cached) return cached
  const { light, dark } = shadesOf(colours)
  const style = `${tokensOf(light)}@media screen and (prefers-color-scheme:dark){${tokensOf(dark)}}${rules}`
  const appearance = { style, themeColours: { light: light.brand, dark: dark.brand } }
  cache.set(colours, appearance)
  return appearance
}

function tokensOf({ brand, onBrand, pressed, ink, wash }: Shades): string {
  return `:root{--brand:${brand};--on-brand:${onBrand};--pressed:${pressed};--brand-ink:${ink};--wash:${wash}}`
}
