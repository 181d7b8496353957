import type { Instant } from "~/domain/calendar"
import { HOUR, MINUTE } from "~/domain/calendar"
import { dateTagOf, type Locale } from "~/domain/locales"
import { type Money, times } from "~/domain/money/money"

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

/** Caches formatters: creating one costs a hundred times as much as using it. */
function cached<F extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => F): F {
  const known = formats.get(key) as F | undefined
  if (known) return known
  const made = make()
  formats.set(key, made)
  return made
}

/** Server and browser may format with different spaces, which would be a hydration mismatch. */
const sameSpaces = (text: string) => text.replace(/\s/g, "\u00a0")

/** Formats an amount for a locale: "€1,234.50", "1.234,50 €". */
export function moneyText({ minor, currency }: Money<string>, { iso }: Locale): string {
  const format = cached(
    `${iso} ${currency}`,
    () => new Intl.NumberFormat(iso, { style: "currency", currency, currencyDisplay: "narrowSymbol" }),
  )
  return sameSpaces(format.format(minor / 100))
}

/** Formats a discount with a minus sign: "− €9.89". The amount is negative. */
export function discountText(amount: Money, locale: Locale): string {
  return `−\u00a0${moneyText(times(amount, -1), locale)}`
}

/** Formats an integer with its sign: "+10", "−1". */
export function signedText(count: number, { iso }: Locale): string {
  const options = { signDisplay: "exceptZero", maximumFractionDigits: 0 } as const
  const format = cached(`${iso} signed`, () => new Intl.NumberFormat(iso, options))
  return sameSpaces(format.format(count).replace("-", "−"))
}

export function percentText(percent: number, { iso }: Locale): string {
  const format = cached(`${iso} %`, () => new Intl.NumberFormat(iso, { style: "percent" }))
  return sameSpaces(format.format(percent / 100))
}

/** Formats a rate in basis points: "19%", "25,5 %". */
export function rateText(basisPoints: number, { iso }: Locale): string {
  const options = { style: "percent", maximumFractionDigits: 3 } as const
  const format = cached(`${iso} rate`, () => new Intl.NumberFormat(iso, options))
  return sameSpaces(format.format(basisPoints / 10_000))
}

/** Formats date and time in a time zone: "Fri, 20 Nov 2026, 15:05 UTC". It breaks behind the weekday and commas only. */
export function dateTimeText(at: Instant, locale: Locale, timeZone: string): string {
  const tag = dateTagOf(locale)
  const format = cached(
    `${tag} ${timeZone} full`,
    () =>
      new Intl.DateTimeFormat(tag, {
        weekday: "short",
        day: "numeric",
        month: "short",
        year: "numeric",
        hour: "numeric",
        minute: "2-digit",
        timeZoneName: "short",
        timeZone,
      }),
  )
  return sameSpaces(format.format(at)).replace(/(^\S+|,)\s/g, "$1 ")
}

/** Formats a length in hours, and in days if it is some of them: "24 hours", "7 days". */
export function durationText(hours: number, { iso }: Locale): string {
  const days = hours / 24
  const unit = hours >= 72 && Number.isInteger(days) ? "day" : "hour"
  const format = cached(
    `${iso} ${unit}`,
    () => new Intl.NumberFormat(iso, { style: "unit", unit, unitDisplay: "long" }),
  )
  return sameSpaces(format.format(unit === "day" ? days : hours))
}

/**
 * Formats a calendar day in a time zone: "14 March 2028". A Spanish or Portuguese one may break before "de 2028", since with large
 * letters it is longer than a phone's line; no other has a place to break.
 */
export function dayText(at: Instant, locale: Locale, timeZone: string): string {
  const tag = dateTagOf(locale)
  const options = { dateStyle: "long", timeZone } as const
  const format = cached(`${tag} ${timeZone} date`, () => new Intl.DateTimeFormat(tag, options))
  return sameSpaces(format.format(at)).replace(/\s(?=de\s\d+$)/, " ")
}

/** Formats a day for a button: "24 Dec", "24. Dez.". */
export function shortDayText(at: Instant, locale: Locale, timeZone: string): string {
  const tag = dateTagOf(locale)
  const options = { day: "numeric", month: "short", timeZone } as const
  return sameSpaces(
    cached(`${tag} ${timeZone} short`, () => new Intl.DateTimeFormat(tag, options)).format(at),
  )
}

/** Formats a time of day: "14:05". */
export function timeText(at: Instant, locale: Locale, timeZone: string): string {
  const tag = dateTagOf(locale)
  const options = { timeStyle: "short", timeZone } as const
  return cached(`${tag} ${timeZone} time`, () => new Intl.DateTimeFormat(tag, options)).format(at)
}

/** Formats a day with its time: "29 Nov, 02:05", "29. Nov., 02:05". */
export function dayTimeText(at: Instant, locale: Locale, timeZone: string): string {
  return `${shortDayText(at, locale, timeZone)},\u00a0${timeText(at, locale, timeZone)}`
}

/** Formats a duration in hours and minutes, rounded up: "14 hours 52 minutes", "2 hours", "1 minute". */
export function spanText(milliseconds: number, { iso }: Locale): string {
  const minutes = Math.max(0, Math.ceil(milliseconds / MINUTE))
  const hours = Math.floor((minutes * MINUTE) / HOUR)
  if (hours === 0) return unitText(minutes, "minute", iso)
  const rest = minutes % 60
  return rest === 0
    ? unitText(hours, "hour", iso)
    : `${unitText(hours, "hour", iso)} ${unitText(rest, "minute", iso)}`
}

/** "1 month", "12 months". */
export function monthsText(count: number, { iso }: Locale): string {
  return unitText(count, "month", iso)
}

function unitText(count: number, unit: "hour" | "minute" | "month", iso: string): string {
  const options = { style: "unit", unit, unitDisplay: "long" } as const
  return sameSpaces(cached(`${iso} ${unit}`, () => new Intl.NumberFormat(iso, options)).format(count))
}
