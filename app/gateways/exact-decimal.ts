import { z } from "zod"

/** More digits than any coin has. */
const DIGITS = 18

/** A decimal that is not below zero, however fine, as providers write what has been sent in coins. */
export const ExactDecimal = z
  .string()
  .regex(new RegExp(`^\\d{1,12}(\\.\\d{1,${DIGITS}})?$`), "is not an amount")
  .transform((decimal) => {
    const [whole = "", fraction = ""] = decimal.split(".")
    return BigInt(whole + fraction.padEnd(DIGITS, "0"))
  })

const CENT = 10n ** BigInt(DIGITS - 2)

/** Whole cents of an exact amount of money; what is left over of a cent has not come. */
export function floorToCents(exact: bigint): number {
  return Number(exact / CENT)
}

/** Cents that an exact amount of money takes away: a cent that has been begun is gone. */
export function ceilToCents(exact: bigint): number {
  return Number((exact + CENT - 1n) / CENT)
}
