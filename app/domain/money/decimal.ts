/**
 * An exact decimal as a count of 10^-28: sums and comparisons are those of `bigint`. Coins have more decimal places than
 * money, and more than a `number` can represent.
 */
export type Decimal = bigint

/** Decimal places; no provider sends more. */
const PLACES = 28
const ONE = 10n ** BigInt(PLACES)
const CENT = ONE / 100n

/** Parses a decimal: an optional minus sign, digits on both sides of the point, no exponent. Throws on any other text. */
export function parseDecimal(text: string): Decimal {
  const [, sign, whole, fraction = ""] = /^(-?)(\d{1,20})(?:\.(\d{1,28}))?$/.exec(text) ?? []
  if (whole === undefined) throw new Error(`Invalid decimal: "${text}"`)
  const count = BigInt(whole + fraction.padEnd(PLACES, "0"))
  return sign === "-" ? -count : count
}

/** Formats without trailing zeros: "0.00012", "-3", "0". */
export function formatDecimal(decimal: Decimal): string {
  const [whole = "", fraction = ""] = withPlaces(decimal, PLACES).split(".")
  const digits = fraction.replace(/0+$/, "")
  return digits === "" ? whole : `${whole}.${digits}`
}

/** Formats a count of 10^-`places` with all its decimal places: (-5n, 8) is "-0.00000005". */
export function withPlaces(count: bigint, places: number): string {
  const digits = String(count < 0n ? -count : count).padStart(places + 1, "0")
  return `${count < 0n ? "-" : ""}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** Count of 10^-`places` in a decimal, rounded down. */
export function unitsOf(decimal: Decimal, places: number): bigint {
  return decimal / 10n ** BigInt(PLACES - places)
}

/** Cents of an amount of money, rounded up. */
export function ceilToCents(amount: Decimal): number {
  return Number((amount + CENT - 1n) / CENT)
}

/** Sum of the products of amounts and rates, in cents; half a cent is rounded to the even one (banker's rounding). */
export function centsAtRates(parts: readonly { readonly amount: Decimal; readonly rate: Decimal }[]): number {
  const sum = parts.reduce((total, { amount, rate }) => total + amount * rate, 0n)
  const unit = CENT * ONE
  const whole = sum / unit
  const sign = sum < 0n ? -1n : 1n
  const twice = sign * 2n * (sum % unit)
  const isUp = twice > unit || (twice === unit && whole % 2n !== 0n)
  return Number(isUp ? whole + sign : whole)
}

/** Computes `whole * part / of`, rounded down; 0 when `of` is 0. The result is exact if it is a safe integer. */
export function partOf(whole: number, part: Decimal, of: Decimal): number {
  return of === 0n ? 0 : Number((BigInt(whole) * part) / of)
}

/** The same, rounded up. */
export function partOfUp(whole: number, part: Decimal, of: Decimal): number {
  return of === 0n ? 0 : Number((BigInt(whole) * part + of - 1n) / of)
}
