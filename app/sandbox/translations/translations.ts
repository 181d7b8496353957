import type { Locale } from "~/domain/locales"
import { german } from "./de-de"
import { english, type Translation } from "./en-en"
import { spanish } from "./es-es"
import { dutch } from "./nl-nl"
import { portuguese } from "./pt-pt"

/** Texts of the payment page by language; `en` and `en-GB` share one. */
export const translationByLocale: Record<Locale["iso"], Translation> = {
  en: english,
  "en-GB": english,
  "es-ES": spanish,
  "pt-PT": portuguese,
  "de-DE": german,
  "nl-NL": dutch,
}

/** Replaces the placeholders of a text with values. */
export function fillTemplate(message: string, values: Readonly<Record<string, string>>): string {
  return message.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
}
