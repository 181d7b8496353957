import type { LocaleCode } from "../locales"
import type { BrandColours } from "./brand-colours"

/** The operator's text by locale; locales may be missing. */
export type LocalizedText = Readonly<Partial<Record<LocaleCode, string>>>

/** The logo in the page header; `path` is relative to the base path. */
export type Logo = {
  readonly path: string
  readonly width: number
  readonly height: number
  /** Show the shop's name next to the logo. */
  readonly withName: boolean
  /** It can be seen on the ground of dark mode; others keep the white one of light mode. */
  readonly isForDark: boolean
}

export type Brand = {
  readonly name: string
  /** Suffix of page titles; default: the name. */
  readonly title: LocalizedText
  /** Null: no guarantee. */
  readonly guarantee: LocalizedText | null
  readonly colours: BrandColours
}

/** Guarantee text: none, the default, or the operator's. */
export type Guarantee =
  | { readonly kind: "none" | "default" }
  | { readonly kind: "custom"; readonly text: string }

/** The guarantee that visitors of a language read. */
export function guaranteeIn({ guarantee }: Pick<Brand, "guarantee">, locale: LocaleCode): Guarantee {
  if (guarantee === null) return { kind: "none" }
  const text = localizedTextFor(guarantee, locale)
  return text === null ? { kind: "default" } : { kind: "custom", text }
}

/** The title of the pages in a language; without one the shop's name. */
export function titleIn({ title, name }: Pick<Brand, "title" | "name">, locale: LocaleCode): string {
  return localizedTextFor(title, locale) ?? name
}

/** British English falls back to English. */
export function localizedTextFor(text: LocalizedText, locale: LocaleCode): string | null {
  return text[locale] ?? (locale === "en-gb" ? text["en-en"] : undefined) ?? null
}
