import type { LocaleCode } from "../locales"
import type { BrandColours } from "./brand-colours"

/** What the operator says in his own words, in the languages in which he says it. */
export type LocalizedText = Readonly<Partial<Record<LocaleCode, string>>>

/** A picture in the head of every page, at its path under the shop's. */
export type Logo = {
  readonly path: string
  readonly width: number
  readonly height: number
  /** The shop's name is beside it; otherwise the picture says it. */
  readonly withName: boolean
}

export type Brand = {
  readonly name: string
  /** What page titles end with; the name where nothing is said. */
  readonly title: LocalizedText
  /** Null: there is no guarantee. */
  readonly guarantee: LocalizedText | null
  readonly colours: BrandColours
}

/** What is said of a guarantee: nothing, what this shop says unless told otherwise, or the operator's words. */
export type Guarantee =
  | { readonly kind: "none" | "ours" }
  | { readonly kind: "theirs"; readonly text: string }

export function guaranteeIn({ guarantee }: Pick<Brand, "guarantee">, locale: LocaleCode): Guarantee {
  if (guarantee === null) return { kind: "none" }
  const text = wordsIn(guarantee, locale)
  return text === null ? { kind: "ours" } : { kind: "theirs", text }
}

export function titleIn({ title, name }: Pick<Brand, "title" | "name">, locale: LocaleCode): string {
  return wordsIn(title, locale) ?? name
}

/** British words are the English ones unless there are others. */
function wordsIn(words: LocalizedText, locale: LocaleCode): string | null {
  return words[locale] ?? (locale === "en-gb" ? words["en-en"] : undefined) ?? null
}
