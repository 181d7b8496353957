import { type Locale, locales } from "../locales"

const LANGUAGE_INTENT = "language-"

/** Button that shows the page in another language, with what was filled in. */
export function languageIntent({ iso }: Locale): string {
  return LANGUAGE_INTENT + iso
}

/** The locale of such a button; null for every other button. */
export function localeOfIntent(intent: unknown): Locale | null {
  return locales.find((locale) => languageIntent(locale) === intent) ?? null
}
