import { defaultLocale, type LocaleCode } from "~/domain/locales"
import { type KeyOf, type TextFunction, textFunction, textsByLanguage } from "~/i18n/text-function.server"
import { deDe } from "./translations/de-de"
import { enEn } from "./translations/en-en"
import { enGb } from "./translations/en-gb"
import { esEs } from "./translations/es-es"
import { nlNl } from "./translations/nl-nl"
import { operatorTexts } from "./translations/operator"
import { ptPt } from "./translations/pt-pt"
import type { MailTranslation } from "./translations/translation"

export const translations: Readonly<Record<LocaleCode, MailTranslation>> = {
  "en-en": enEn,
  "en-gb": enGb,
  "es-es": esEs,
  "pt-pt": ptPt,
  "de-de": deDe,
  "nl-nl": nlNl,
}

export type MessageTexts = TextFunction<KeyOf<typeof enEn>>
export type OperatorTexts = TextFunction<KeyOf<typeof operatorTexts>>

/** The texts of messages in a language; all are loaded, since a shop sends in all of them. */
export const messageTexts: (code: LocaleCode) => MessageTexts = textsByLanguage(translations)

export const operatorMessageTexts: OperatorTexts = textFunction(operatorTexts, defaultLocale.iso)
