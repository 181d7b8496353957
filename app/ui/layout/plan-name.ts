import type { Locale } from "~/domain/locales"
import { monthsText } from "./format"

/** Translates a plan name that is only a duration; other names are the operator's and stay unchanged. */
export function planName(name: string, locale: Locale): string {
  const [, months] = /^(\d{1,2}) months?$/i.exec(name) ?? []
  return months ? monthsText(Number(months), locale) : name
}
