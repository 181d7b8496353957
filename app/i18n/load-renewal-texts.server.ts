import { createInstance } from "i18next"
import { defaultLocale, type LocaleCode, localeOfCode } from "~/domain/locales"
import { deDe } from "./renewal-texts/de-de"
import { enEn } from "./renewal-texts/en-en"
import { esEs } from "./renewal-texts/es-es"
import { nlNl } from "./renewal-texts/nl-nl"
import { ptPt } from "./renewal-texts/pt-pt"
import type { RenewalTranslation } from "./renewal-texts/translation"

const translations: Readonly<Record<LocaleCode, RenewalTranslation>> = {
  "en-en": enEn,
  // Dates and amounts differ by themselves.
  "en-gb": enEn,
  "es-es": esEs,
  "pt-pt": ptPt,
  "de-de": deDe,
  "nl-nl": nlNl,
}

type KeyOf<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${KeyOf<T[K]>}` }[keyof T & string]

/** A text about renewals, with its placeholders filled in. */
export type RenewalTexts = (key: KeyOf<typeof enEn>, gaps?: Readonly<Record<string, string>>) => string

const made = new Map<LocaleCode, RenewalTexts>()

/**
 * The texts about renewals in a language. Pages get them ready from their loaders, since the browser's file of each
 * language is loaded with the checkout, which says nothing about renewals.
 */
export function renewalTexts(code: LocaleCode): RenewalTexts {
  const known = made.get(code)
  if (known) return known
  const { iso } = localeOfCode(code) ?? defaultLocale
  const instance = createInstance({
    lng: iso,
    fallbackLng: false,
    initAsync: false,
    resources: { [iso]: { translation: translations[code] } },
    // React escapes what it renders.
    interpolation: { escapeValue: false },
  })
  void instance.init()
  // The keys that i18next knows by type are those of the pages.
  const texts: RenewalTexts = (key, gaps) => instance.t(key as "frame.skip", gaps)
  made.set(code, texts)
  return texts
}
