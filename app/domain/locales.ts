/**
 * The languages of the shop (spec, sections 1 and 2). `code` is the prefix and the cookie's value, `iso` what
 * the browser, `Intl` and search engines take: `en-en` is not a valid tag, so English is plain `en`.
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

/** The cookie in which a browser keeps the `code` of its language (spec, section 9). */
export const LANGUAGE_COOKIE = "browserLang"

/** What the language menu adds to its links: the one thing that changes the language a browser has chosen. */
const CHOICE = "lang"

export const defaultLocale: Locale = locales[0]

/** English is spoken the British way in more countries than one; elsewhere a language is the same for all regions. */
const british = ["en-AU", "en-IE", "en-IN", "en-MT", "en-NZ", "en-SG", "en-ZA"]

/**
 * The locale that serves a visitor best, by his language tags in the order he prefers them (reference: locales,
 * section 5): the very tag, else its language; the default when there is none of his.
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

/** The locale a URL prefix names; none is the default, and null is no language of ours (a 404). */
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

/** A page of ours in a language, as React Router's links and forms take it: "/waiting" is "/de-de/waiting". */
export function localPath({ prefix }: Locale, path: string): string {
  return prefix && path === "/" ? prefix : `${prefix}${path}`
}

/** The query of an address with one that makes the language chosen. */
export function withChosenLanguage(query: string, { iso }: Locale): string {
  const chosen = new URLSearchParams(query)
  chosen.set(CHOICE, iso)
  return `?${chosen}`
}

/** The language that an address asks to be remembered; null where it asks for none that there is. */
export function chosenLanguage(query: URLSearchParams): Locale | null {
  return locales.find(({ iso }) => iso === query.get(CHOICE)) ?? null
}

/** The query without the choice. */
export function withoutChosenLanguage(query: string): string {
  const rest = new URLSearchParams(query)
  rest.delete(CHOICE)
  return rest.size > 0 ? `?${rest}` : ""
}

/** The value of the router's `:locale?` parameter: the default language has no prefix. */
export function localeParam(locale: Locale): string | undefined {
  return locale.prefix.slice(1) || undefined
}
