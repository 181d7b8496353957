import { deDe } from "./screen-texts/de-de"
import { enEn } from "./screen-texts/en-en"
import { esEs } from "./screen-texts/es-es"
import { nlNl } from "./screen-texts/nl-nl"
import { ptPt } from "./screen-texts/pt-pt"
import { type KeyOf, type TextFunction, textsByLanguage } from "./text-function.server"

/** A text of the pages after the checkout, with its placeholders filled in. */
export type ScreenTexts = TextFunction<KeyOf<typeof enEn>>

/** The texts of the pages after the checkout in a language. */
export const screenTexts = textsByLanguage<KeyOf<typeof enEn>>({
  "en-en": enEn,
  // Dates and amounts differ by themselves.
  "en-gb": enEn,
  "es-es": esEs,
  "pt-pt": ptPt,
  "de-de": deDe,
  "nl-nl": nlNl,
})
