import type { LocaleCode } from "~/domain/locales"

/** WHMCS identifies languages by their full English names. */
const names: Record<LocaleCode, string> = {
  "en-en": "english",
  "en-gb": "english",
  "es-es": "spanish",
  "pt-pt": "portuguese-pt",
  "de-de": "german",
  "nl-nl": "dutch",
}

const locales: Readonly<Record<string, LocaleCode>> = {
  english: "en-en",
  spanish: "es-es",
  "portuguese-pt": "pt-pt",
  "portuguese-br": "pt-pt",
  portuguese: "pt-pt",
  german: "de-de",
  dutch: "nl-nl",
}

export function toLanguageName(locale: LocaleCode): string {
  return names[locale]
}

/**
 * Maps a WHMCS language to a locale; null if missing or unsupported. English is `en-gb` for clients in Great Britain.
 */
export function toLocaleCode(language: string, country: string): LocaleCode | null {
  const locale = locales[language.toLowerCase()] ?? null
  return locale === "en-en" && country.toUpperCase() === "GB" ? "en-gb" : locale
}
