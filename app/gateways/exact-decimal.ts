import { z } from "zod"

/** Decimal places; no coin has more. */
const DIGITS = 18

/** Parses a non-negative decimal amount of a coin into units of 10^-18. */
export const ExactDecimal = z
  .string()
  .regex(new RegExp(`^\\d{1,12}(\\.\\d{1,${DIGITS}})?$`), "must be a decimal amount")
  .transform((decimal) => {
    const [whole = "", fraction = ""] = decimal.split(".")
    return BigInt(whole + fraction.padEnd(DIGITS, "0"))
  })

const CENT = 10n ** BigInt(DIGITS - 2)

/** Rounds an exact amount of refunded money up to whole cents. */
export function ceilToCents(exact: bigint): number {
  return Number((exact + CENT - 1n) / CENT)
}
