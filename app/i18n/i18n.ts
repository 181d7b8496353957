import { createInstance, type TFunction } from "i18next"
import type { Locale, LocaleCode } from "~/domain/locales"
import { rememberTexts } from "./remember-texts"
import type { Translation } from "./translations/translation"

const load: Record<LocaleCode, () => Promise<Translation>> = {
  "en-en": async () => (await import("./translations/en-en")).enEn,
  "en-gb": async () => (await import("./translations/en-gb")).enGb,
  "es-es": async () => (await import("./translations/es-es")).esEs,
  "pt-pt": async () => (await import("./translations/pt-pt")).ptPt,
  "de-de": async () => (await import("./translations/de-de")).deDe,
  "nl-nl": async () => (await import("./translations/nl-nl")).nlNl,
}

/** Loads a locale's message catalogue: a chunk of its own in the browser. */
export function loadCatalogue(code: LocaleCode): Promise<Translation> {
  return load[code]()
}

/** A locale with its translation function. */
export type I18n = { readonly locale: Locale; readonly t: TFunction }

/** Creates a locale's translation function, which is synchronous. */
export function createI18n(locale: Locale, catalogue: Translation): I18n {
  const instance = createInstance({
    lng: locale.iso,
    fallbackLng: false,
    initAsync: false,
    resources: { [locale.iso]: { translation: catalogue } },
    // React escapes what it renders.
    interpolation: { escapeValue: false },
  })
  void instance.init()
  const t = rememberTexts((key, gaps) => instance.t(key as "frame.skip", gaps))
  return { locale, t: t as TFunction }
}
