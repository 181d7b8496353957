import type { LocaleCode } from "~/domain/locales"

/** Languages by the names that billing systems know them by (spec, section 9: "spanish"). */
const languages: Readonly<Record<LocaleCode, string>> = {
  "en-en": "english",
  "en-gb": "english",
  "es-es": "spanish",
  "pt-pt": "portuguese-pt",
  "de-de": "german",
  "nl-nl": "dutch",
}

export function languageOf(locale: LocaleCode): string {
  return languages[locale]
}
