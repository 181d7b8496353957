import type { Locale } from "~/domain/locales"
import { monthsText } from "./format"

/** A plan that is named after nothing but its length is named so in every language; any other name is the operator's. */
export function planName(name: string, locale: Locale): string {
  const [, months] = /^(\d{1,2}) months?$/i.exec(name) ?? []
  return months ? monthsText(Number(months), locale) : name
}
