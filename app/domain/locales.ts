/**
 * Locales of the shop (spec, sections 1 and 2). `code`: path prefix and cookie value. `iso`: BCP 47 tag for browsers,
 * `Intl` and search engines; `en-en` is not a valid tag, so English is `en`.
 */
export const locales = [
  { code: "en-en", iso: "en", name: "English", prefix: "" },
  { code: "es-es", iso: "es-ES", name: "Español", prefix: "/es-es" },
  { code: "pt-pt", iso: "pt-PT", name: "Português", prefix: "/pt-pt" },
  { code: "de-de", iso: "de-DE", name: "Deutsch", prefix: "/de-de" },
  { code: "nl-nl", iso: "nl-NL", name: "Netherlands", prefix: "/nl-nl" },
  { code: "en-gb", iso: "en-GB", name: "UK English", prefix: "/en-gb" },
] as const

export type Locale = (typeof locales)[number]
export type LocaleCode = Locale["code"]

/** Cookie with the `code` of the browser's locale (spec, section 9). */
export const LANGUAGE_COOKIE = "browserLang"

/** Query parameter of the language menu's links: nothing else changes the chosen language. */
const CHOICE = "lang"

export const defaultLocale: Locale = locales[0]

/** Regions with British English; the other languages do not depend on the region. */
const british = ["en-AU", "en-IE", "en-IN", "en-MT", "en-NZ", "en-SG", "en-ZA"]

/**
 * Best locale for language tags in order of preference: an exact match of a tag, or else of its language; otherwise the
 * default.
 */
export function bestLocale(tags: readonly string[]): Locale {
  for (const tag of tags) {
    const locale = localeOfTag(tag)
    if (locale) return locale
  }
  return defaultLocale
}

function localeOfTag(tag: string): Locale | undefined {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  if (british.some((it) => same(it, tag))) return localeOfIso("en-GB")
  const language = tag.split("-", 1)[0] ?? ""
  const exact = locales.find(({ iso }) => same(iso, tag))
  return exact ?? locales.find(({ iso }) => same(iso.split("-", 1)[0] ?? "", language))
}

/** Locale of a URL prefix; the default without one, null for an unknown one (404). */
export function localeOfPrefix(prefix: string | undefined): Locale | null {
  if (prefix === undefined) return defaultLocale
  return locales.find((locale) => locale.prefix === `/${prefix}`) ?? null
}

export function localeOfCode(code: string): Locale | null {
  return locales.find((locale) => locale.code === code) ?? null
}

export function localeOfIso(iso: string): Locale {
  return locales.find((locale) => locale.iso === iso) ?? defaultLocale
}

/** A path with a locale's prefix, for React Router's links and forms: "/waiting" becomes "/de-de/waiting". */
export function localPath({ prefix }: Locale, path: string): string {
  return prefix && path === "/" ? prefix : `${prefix}${path}`
}

/** Adds the language menu's parameter to a query. */
export function withChosenLocale(query: string, { iso }: Locale): string {
  const chosen = new URLSearchParams(query)
  chosen.set(CHOICE, iso)
  return `?${chosen}`
}

/** Locale of the language menu's parameter; null if missing or unknown. */
export function chosenLocale(query: URLSearchParams): Locale | null {
  return locales.find(({ iso }) => iso === query.get(CHOICE)) ?? null
}

/** Removes the language menu's parameter from a query. */
export function withoutChosenLocale(query: string): string {
  const rest = new URLSearchParams(query)
  rest.delete(CHOICE)
  return rest.size > 0 ? `?${rest}` : ""
}

/** The value of the router's `:locale?` parameter: the default language has no prefix. */
export function localeParam(locale: Locale): string | undefined {
  return locale.prefix.slice(1) || undefined
}
