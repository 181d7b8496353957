import { type LocaleCode, localeOfCode } from "~/domain/locales"

/** Languages by the names that billing systems know them by (spec, section 9: "spanish"). */
const names: readonly (readonly [LocaleCode, string])[] = [
  ["en-en", "english"],
  ["en-gb", "english"],
  ["es-es", "spanish"],
  ["pt-pt", "portuguese-pt"],
  ["de-de", "german"],
  ["nl-nl", "dutch"],
]

export function languageOf(locale: LocaleCode): string {
  return names.find(([code]) => code === locale)?.[1] ?? "english"
}

/** The locale that is meant by its code or by a language's name; null: one that the shop does not speak. */
export function localeIn(value: string | undefined): LocaleCode | null {
  if (value === undefined) return null
  const text = value.toLowerCase()
  // "portuguese" is enough of "portuguese-pt".
  const named = names.find(([, name]) => name === text || name.split("-", 1)[0] === text)
  return localeOfCode(text)?.code ?? named?.[0] ?? null
}
