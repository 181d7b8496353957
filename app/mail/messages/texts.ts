import { createInstance } from "i18next"
import { defaultLocale, type LocaleCode, localeOfCode } from "~/domain/locales"
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

/** A text by its key, with its placeholders filled in; `count` selects the plural form. */
export type TextFunction<Key extends string> = (key: Key, gaps?: Gaps) => string
export type MessageTexts = TextFunction<KeyOf<typeof enEn>>
export type OperatorTexts = TextFunction<KeyOf<typeof operatorTexts>>

type Gaps = Readonly<Record<string, string | number>>

/** Full keys of a catalogue, without the endings of plural forms. */
type KeyOf<T> = {
  [K in keyof T & string]: T[K] extends string
    ? K extends `${infer Counted}_${"one" | "other"}`
      ? Counted
      : K
    : `${K}.${KeyOf<T[K]>}`
}[keyof T & string]

const made = new Map<LocaleCode, MessageTexts>()

/** The texts of messages in a language; all are loaded, since a shop sends in all of them. */
export function messageTexts(code: LocaleCode): MessageTexts {
  const known = made.get(code)
  if (known) return known
  const texts: MessageTexts = textFunction(translations[code], (localeOfCode(code) ?? defaultLocale).iso)
  made.set(code, texts)
  return texts
}

export const operatorMessageTexts: OperatorTexts = textFunction(operatorTexts, defaultLocale.iso)

function textFunction<Key extends string>(translation: object, iso: string): TextFunction<Key> {
  const instance = createInstance({
    lng: iso,
    fallbackLng: false,
    initAsync: false,
    resources: { [iso]: { translation } },
    // React escapes what it renders; the text needs no escaping.
    interpolation: { escapeValue: false },
  })
  void instance.init()
  // The keys that i18next knows by type are those of the pages.
  return (key, gaps) => instance.t(key as "frame.skip", gaps)
}
