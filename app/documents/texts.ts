import type { LocaleCode } from "~/domain/locales"
import { type KeyOf, type TextFunction, textsByLanguage } from "~/i18n/text-function.server"
import { deDe } from "./translations/de-de"
import { enEn } from "./translations/en-en"
import { esEs } from "./translations/es-es"
import { nlNl } from "./translations/nl-nl"
import { ptPt } from "./translations/pt-pt"
import type { DocumentTranslation } from "./translations/translation"

const translations: Readonly<Record<LocaleCode, DocumentTranslation>> = {
  "en-en": enEn,
  // The words of documents are the same in British English.
  "en-gb": enEn,
  "es-es": esEs,
  "pt-pt": ptPt,
  "de-de": deDe,
  "nl-nl": nlNl,
}

type DocumentTexts = TextFunction<KeyOf<typeof enEn>>

/** The words of tax documents in a language. The server alone renders them. */
export const documentTexts: (code: LocaleCode) => DocumentTexts = textsByLanguage(translations)
