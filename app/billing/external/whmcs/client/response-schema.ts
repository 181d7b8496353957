import { z } from "zod"

/**
 * Schemas for the JSON of all WHMCS versions: numbers may be strings, lists come in eight shapes, and booleans as
 * `1`/`0`, `true`/`false` or `on`/`""`, also quoted. Each schema yields one type and rejects invalid values.
 */

/** A trimmed string, or a number as a string; null, false and a missing value become "". */
export const Text = z
  .union([z.string(), z.number(), z.null(), z.literal(false)])
  .optional()
  .transform((value) =>
    value === null || value === undefined || value === false ? "" : String(value).trim(),
  )

/** Text typed by a user: not trimmed. */
export const TextField = z
  .string()
  .nullish()
  .transform((value) => value ?? "")

/** A numeric id. Null for "", 0, null or a missing value. */
export const MaybeId = Text.refine((text) => /^\d{0,18}$/.test(text), "is not an id").transform((text) =>
  /^0*$/.test(text) ? null : text,
)

export const Id = MaybeId.refine((id) => id !== null, "is missing").transform((id) => id ?? "")

/** A whole number; null if missing. */
export const Whole = Text.refine((text) => /^(-?\d{1,15})?$/.test(text), "is not a whole number").transform(
  (text) => (text === "" ? null : Number(text)),
)

const AMOUNT = /^(-?)(\d{1,12})(?:\.(\d{1,2})0*)?$/

/** An amount in minor units, without rounding. Null if missing or not an amount. */
export const Amount = Text.transform(minorIn)

const RATE = /^\d{1,3}(?:\.\d{1,4})?$/

/** A tax rate in percent, "19.000", as basis points; those of "8.875" have a fraction. Null if it is zero, missing or no rate. */
export const Rate = Text.transform((text) =>
  RATE.test(text) && Number(text) > 0 ? Math.round(Number(text) * 1_000) / 10 : null,
)

/** Parses a decimal, "59.00", to minor units; null if invalid. In prices a negative amount means "not offered". */
function minorIn(decimal: string): number | null {
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

/** The list under a plural and a singular key, `products.product`. A missing list is empty. */
export function listOf<T extends z.ZodType>(singular: string, item: T) {
  return z
    .unknown()
    .optional()
    .transform((plural) => itemsIn(plural, singular))
    .pipe(z.array(item))
}

/**
 * The items of a response that is a list. One that has neither the list nor a count of zero answers another call: read as an empty list,
 * it would say that a payment is not recorded, or that an order is gone.
 */
export function listResponse<T extends z.ZodType>(plural: string, singular: string, item: T) {
  return z
    .unknown()
    .refine((response) => hasList(response, plural), `has no ${plural}`)
    .transform((response) => itemsIn(isRecord(response) ? response[plural] : null, singular))
    .pipe(z.array(item))
}

/** Some versions leave out a list without items, but not its count. */
export function hasList(response: unknown, plural: string): boolean {
  if (!isRecord(response)) return false
  const counts = [response.totalresults, response.numreturned].map((count) => Whole.safeParse(count).data)
  return plural in response || counts.includes(0)
}

/** The items of a list in any of WHMCS's shapes: array, numeric keys, one bare item, or an empty value. */
export function itemsIn(plural: unknown, singular: string): readonly unknown[] {
  const isNamed = isRecord(plural) && singular in plural
  const held = isNamed ? plural[singular] : plural
  if (Array.isArray(held)) return held
  if (!isRecord(held)) return NOTHING.has(held) ? [] : [held]
  const keys = Object.keys(held)
  const isNumbered = keys.every((key) => /^\d+$/.test(key))
  if (isNumbered) return keys.sort((a, b) => Number(a) - Number(b)).map((key) => held[key])
  // An object under the singular key is one bare item; a plural object without the singular key is an empty list.
  return isNamed ? [held] : []
}

const NOTHING = new Set<unknown>(["", null, undefined, false])

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
