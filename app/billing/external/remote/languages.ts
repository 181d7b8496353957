import type { LocaleCode } from "~/domain/locales"

/** Language names of billing systems (spec, section 9: "spanish"). */
const languages: Readonly<Record<LocaleCode, string>> = {
  "en-en": "english",
  "en-gb": "english",
  "es-es": "spanish",
  "pt-pt": "portuguese-pt",
  "de-de": "german",
  "nl-nl": "dutch",
}

export function toLanguageName(locale: LocaleCode): string {
  return languages[locale]
}
