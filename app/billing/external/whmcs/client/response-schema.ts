import { z } from "zod"

/**
 * What WHMCS answers, however its version writes it (reference, section 3): numbers as texts, lists in eight shapes,
 * truth in eight words. Each reader gives one type, and refuses what is nonsense.
 */

/** Text or a number as text; nothing at all is "". */
export const Text = z
  .union([z.string(), z.number(), z.null(), z.literal(false)])
  .optional()
  .transform((value) =>
    value === null || value === undefined || value === false ? "" : String(value).trim(),
  )

/** Text that people wrote: spaces and line ends in it are theirs. */
export const TextField = z
  .string()
  .nullish()
  .transform((value) => value ?? "")

/** A name of theirs: digits. Null is none: "", 0, null, or not there. */
export const MaybeId = Text.refine((text) => /^\d{0,18}$/.test(text), "is not an id").transform((text) =>
  /^0*$/.test(text) ? null : text,
)

export const Id = MaybeId.refine((id) => id !== null, "is missing").transform((id) => id ?? "")

/** A whole number; null is none. */
export const Whole = Text.refine((text) => /^(-?\d{1,15})?$/.test(text), "is not a whole number").transform(
  (text) => (text === "" ? null : Number(text)),
)

const AMOUNT = /^(-?)(\d{1,12})(?:\.(\d{1,2})0*)?$/

/** An amount in minor units, exactly. Null is none, or what is not an amount. */
export const Amount = Text.transform(minorIn)

/** Minor units of a decimal text, "59.00"; null for what is none. Below zero stands for "not offered" in prices. */
export function minorIn(decimal: string): number | null {
  const match = AMOUNT.exec(decimal)
  if (!match) return null
  const [, sign, whole = "0", fraction = ""] = match
  const minor = Number(whole) * 100 + Number(fraction.padEnd(2, "0"))
  return sign && minor !== 0 ? -minor : minor
}

const FALSE = new Set(["", "0", "false", "off", "no"])

export const Flag = z
  .union([z.boolean(), z.string(), z.number(), z.null()])
  .optional()
  .transform((value) => !FALSE.has(String(value ?? "").toLowerCase()))

/** The list a plural holds under its singular: `products.product`. No list is an empty one. */
export function listOf<T extends z.ZodType>(singular: string, item: T) {
  return z
    .unknown()
    .optional()
    .transform((plural) => itemsIn(plural, singular))
    .pipe(z.array(item))
}

/** The items, whatever form the list has. */
export function itemsIn(plural: unknown, singular: string): readonly unknown[] {
  const isNamed = isRecord(plural) && singular in plural
  const held = isNamed ? plural[singular] : plural
  if (Array.isArray(held)) return held
  if (!isRecord(held)) return NOTHING.has(held) ? [] : [held]
  const keys = Object.keys(held)
  const isNumbered = keys.every((key) => /^\d+$/.test(key))
  if (isNumbered) return keys.sort((a, b) => Number(a) - Number(b)).map((key) => held[key])
  // A plural without its singular holds nothing; under it there is one bare item.
  return isNamed ? [held] : []
}

const NOTHING = new Set<unknown>(["", null, undefined, false])

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
