import { type LocaleCode, localeOfCode } from "~/domain/locales"

/** WHMCS language names by locale (spec, section 9: "spanish"). */
const names: readonly (readonly [LocaleCode, string])[] = [
  ["en-en", "english"],
  ["en-gb", "english"],
  ["es-es", "spanish"],
  ["pt-pt", "portuguese-pt"],
  ["de-de", "german"],
  ["nl-nl", "dutch"],
]

export function toLanguageName(locale: LocaleCode): string {
  return names.find(([code]) => code === locale)?.[1] ?? "english"
}

/** Locale by its code or by a language name, ignoring case; null if unsupported. */
export function parseLocaleCode(value: string | undefined): LocaleCode | null {
  if (value === undefined) return null
  const text = value.toLowerCase()
  // "portuguese" also matches "portuguese-pt".
  const named = names.find(([, name]) => name === text || name.split("-", 1)[0] === text)
  return localeOfCode(text)?.code ?? named?.[0] ?? null
}
