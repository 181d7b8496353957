import { BASE } from "./base-path"
import { queryText } from "./query-text"

/**
 * Locales of the shop (specification, Languages). `code`: path prefix and cookie value. `iso`: BCP 47 tag for browsers,
 * `Intl` and search engines; `en-en` is not a valid tag, so English is `en`. `name`: the language menu's.
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

/** Tag of which `Intl` writes days and times. English writes "14 March 2027" and "16:40", where `en` alone means those of the USA. */
export function dateTagOf({ iso }: Locale): string {
  return iso === "en" ? "en-GB" : iso
}

/** English names of the languages, on the wire of billing systems: those of WHMCS's language files. */
const englishNames: Readonly<Record<LocaleCode, string>> = {
  "en-en": "english",
  "es-es": "spanish",
  "pt-pt": "portuguese-pt",
  "de-de": "german",
  "nl-nl": "dutch",
  "en-gb": "english",
}

/** Cookie with the `code` of the browser's locale (specification, Languages). */
export const LANGUAGE_COOKIE = "browserLang"

/** Query parameter of the language menu's links: nothing else changes the chosen language. */
const CHOICE = "lang"

export const defaultLocale: Locale = locales[0]

/** Locale of a URL prefix; the default without one, null for an unknown one (404). */
export function localeOfPrefix(prefix: string | undefined): Locale | null {
  if (prefix === undefined) return defaultLocale
  return locales.find((locale) => locale.prefix === `/${prefix}`) ?? null
}

/** Locale of a pathname's prefix; null without one. */
export function localeInPath(pathname: string): Locale | null {
  const [, base, prefix = ""] = pathname.split("/", 3)
  return `/${base}` === BASE ? (locales.find((locale) => locale.prefix === `/${prefix}`) ?? null) : null
}

/** The locale of a code such as "de-de"; null if unsupported. */
export function localeOfCode(code: string): Locale | null {
  return locales.find((locale) => locale.code === code) ?? null
}

/** The locale of a BCP 47 tag, the default one if unsupported. */
export function localeOfIso(iso: string): Locale {
  return locales.find((locale) => locale.iso === iso) ?? defaultLocale
}

/** The English name of a language, as billing systems know it. */
export function toLanguageName(code: LocaleCode): string {
  return englishNames[code]
}

/** Locale by its code or by its language's English name, ignoring case and the variants of Portuguese; null if unsupported. */
export function parseLocaleCode(value: string | undefined): LocaleCode | null {
  if (value === undefined) return null
  const text = value.toLowerCase()
  const stem = (name: string) => name.split("-", 1)[0]
  const named = locales.find(({ code }) => stem(englishNames[code]) === stem(text))
  return (localeOfCode(text) ?? named)?.code ?? null
}

/** A path with a locale's prefix, for React Router's links and forms: "/waiting" becomes "/de-de/waiting". */
export function localPath({ prefix }: Locale, path: string): string {
  return prefix && path === "/" ? prefix : `${prefix}${path}`
}

/** Address of a page in a language, for what leads there from elsewhere: messages, providers, players. */
export function pageUrl(publicUrl: string, locale: Locale, path: string): string {
  return `${publicUrl}${BASE}${localPath(locale, path)}`
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
  return queryText(rest)
}
