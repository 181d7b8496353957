/**
 * Amounts of coins are decimals with up to eighteen places, more than a number holds. Here they are counts of the
 * smallest part a coin can have, so that they are reckoned with exactly.
 */
export type CoinUnits = bigint

const PLACES = 18

/** How a provider writes an amount: "3.00000000". Signs, exponents and bare points are none. */
export const DECIMAL = /^\d{1,18}(\.\d{1,18})?$/

/** Throws on text that is no decimal. */
export function coinUnits(decimal: string): CoinUnits {
  if (!DECIMAL.test(decimal)) throw new Error("Not an amount of a coin")
  const [whole = "", fraction = ""] = decimal.split(".")
  return BigInt(whole + fraction.padEnd(PLACES, "0"))
}

/** Without zeros that say nothing: "3", "0.077", "0". */
export function coinDecimal(units: CoinUnits): string {
  const digits = units.toString().padStart(PLACES + 1, "0")
  const fraction = digits.slice(-PLACES).replace(/0+$/, "")
  return digits.slice(0, -PLACES) + (fraction && `.${fraction}`)
}

/**
 * The same part of `whole` that `part` is of `of`, rounded down: nobody is credited what he has not sent. Exact where
 * it is a safe integer.
 */
export function partOf(whole: number, part: CoinUnits, of: CoinUnits): number {
  return of === 0n ? 0 : Number((BigInt(whole) * part) / of)
}
