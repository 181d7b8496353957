import type { Field, Fields } from "./php-form"
import { mapIn, type PhpMap } from "./php-unserialize"

/** WHMCS says no: HTTP 200, with this text as `message`. */
export class WhmcsError extends Error {
  override name = "Refusal"
}

/** A parameter as text; "" when it is missing or an array. */
export function text(params: Fields, name: string): string {
  const field = params.get(name)
  return typeof field === "string" ? field : ""
}

/** As PHP takes a text for true: everything but "" and "0", so "false" is true. */
export function flag(params: Fields, name: string): boolean {
  return !["", "0"].includes(text(params, name))
}

/** A parameter that is an array, by line; empty when it is missing. */
export function arrayOf(params: Fields, name: string): ReadonlyMap<string, Field> {
  const field = params.get(name)
  if (field === undefined) return new Map()
  if (typeof field === "string") throw new WhmcsError(`Expecting parameter '${name}' to be an array`)
  return field
}

/** The texts of an array by their keys. */
export function textsOf(params: Fields, name: string): Map<string, string> {
  const texts = [...arrayOf(params, name)].filter((entry): entry is [string, string] => {
    return typeof entry[1] === "string"
  })
  return new Map(texts)
}

/** A serialized map; empty when it is missing or cannot be read. */
export function mapOf(encoded: string | undefined): PhpMap {
  return (encoded && mapIn(encoded)) || new Map()
}

/** An amount as PHP makes a float of a text and rounds it: hundredths. What is no number is 0. */
export function minorOf(amount: string): number {
  const [, sign = "", whole = "0", fraction = ""] = /^\s*([+-]?)(\d+)(?:\.(\d*))?/.exec(amount) ?? []
  const digits = `${fraction}000`
  const minor = Number(whole) * 100 + Number(digits.slice(0, 2)) + (Number(digits[2]) >= 5 ? 1 : 0)
  return sign === "-" ? -minor : minor
}

/** Two decimals and a point. */
export function decimal(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, "0")
  return `${minor < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
