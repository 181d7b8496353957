import { type Currency, currencies, type Money, money } from "./money"

/**
 * Parses an amount as an operator types it: "5", "5.0", "5,00", "€5.00", "5.00 EUR". Thousands are separated only where that can be read
 * in one way, before another separator with two decimals: "1,234.50", "1.234,50". Null if it is no amount; if it has the sign of another
 * currency; and if it has one separator before three digits: "1,000" is a thousand to one, and one to another.
 */
export function typedAmount(text: string, currency: Currency): Money | null {
  const [, before, number = "", after] = /^([^\s\d]*)\s?(\d[\d.,]*)\s?([^\s\d]*)$/.exec(text.trim()) ?? []
  const isOther = [before, after].some((it) => it && it.toUpperCase() !== currency && it !== signs[currency])
  const minor = isOther || (before && after) ? null : minorUnits(number)
  return minor === null ? null : money(minor, currency)
}

/**
 * Another renewal price as an operator types it; null if it is no amount, or nothing: a renewal that costs nothing would be paid by
 * itself, for ever.
 */
export function typedRenewalPrice(text: string, currency: Currency): Money | null {
  const price = typedAmount(text, currency)
  return price?.minor ? price : null
}

/** Minor units of an amount of whatever currency, such as one that orders are searched by. */
export function typedMinor(text: string): number | null {
  return currencies.map((it) => typedAmount(text, it)).find((it) => it !== null)?.minor ?? null
}

/** Hundredths of a number without a currency, such as a percentage. */
export function typedHundredths(text: string): number | null {
  return minorUnits(text.trim())
}

const signs: Readonly<Record<Currency, string>> = { EUR: "€", GBP: "£", USD: "$" }

const PLAIN = /^(?<whole>\d{1,9})(?:[.,](?<decimals>\d{1,2}))?$/
const GROUPED = [
  /^(?<whole>[1-9]\d{0,2}(?:,\d{3}){1,2})\.(?<decimals>\d\d)$/,
  /^(?<whole>[1-9]\d{0,2}(?:\.\d{3}){1,2}),(?<decimals>\d\d)$/,
]

function minorUnits(number: string): number | null {
  for (const form of [PLAIN, ...GROUPED]) {
    const { whole, decimals = "" } = form.exec(number)?.groups ?? {}
    if (whole !== undefined) return Number(whole.replace(/\D/g, "") + decimals.padEnd(2, "0"))
  }
  return null
}
