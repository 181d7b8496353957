/**
 * An exact coin amount in units of 10^-18. Coin amounts have up to eighteen decimal places, more than a `number` can
 * represent.
 */
export type CoinUnits = bigint

const PLACES = 18

/** The provider's format: "3.00000000". No sign, no exponent, digits on both sides of the point. */
export const DECIMAL = /^\d{1,18}(\.\d{1,18})?$/

/** Parses a decimal into coin units. Throws on any other text. */
export function coinUnits(decimal: string): CoinUnits {
  if (!DECIMAL.test(decimal)) throw new Error("Invalid coin amount")
  const [whole = "", fraction = ""] = decimal.split(".")
  return BigInt(whole + fraction.padEnd(PLACES, "0"))
}

/** Formats coin units without trailing zeros: "3", "0.077", "0". */
export function coinDecimal(units: CoinUnits): string {
  const digits = units.toString().padStart(PLACES + 1, "0")
  const fraction = digits.slice(-PLACES).replace(/0+$/, "")
  return digits.slice(0, -PLACES) + (fraction && `.${fraction}`)
}

/**
 * Computes `whole * part / of`, rounded down so that the customer is never credited more than was sent; 0 when `of` is
 * 0. The result is exact if it is a safe integer.
 */
export function partOf(whole: number, part: CoinUnits, of: CoinUnits): number {
  return of === 0n ? 0 : Number((BigInt(whole) * part) / of)
}
