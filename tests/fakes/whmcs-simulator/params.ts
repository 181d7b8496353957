import type { Field, Fields } from "./php-form"
import { mapIn, type PhpMap } from "./php-unserialize"

/** A WHMCS error: HTTP 200 with this text as `message`. */
export class WhmcsError extends Error {
  override name = "Refusal"
}

/** Returns a parameter as text; "" if it is missing or an array. */
export function text(params: Fields, name: string): string {
  const field = params.get(name)
  return typeof field === "string" ? field : ""
}

/** Converts a text to a boolean like PHP: only "" and "0" are false, so "false" is true. */
export function flag(params: Fields, name: string): boolean {
  return !["", "0"].includes(text(params, name))
}

/** Returns an array parameter by key; empty if it is missing. */
export function arrayOf(params: Fields, name: string): ReadonlyMap<string, Field> {
  const field = params.get(name)
  if (field === undefined) return new Map()
  if (typeof field === "string") throw new WhmcsError(`Expecting parameter '${name}' to be an array`)
  return field
}

/** Returns the texts of an array parameter by key. */
export function textsOf(params: Fields, name: string): Map<string, string> {
  const texts = [...arrayOf(params, name)].filter((entry): entry is [string, string] => {
    return typeof entry[1] === "string"
  })
  return new Map(texts)
}

/** Returns a serialized map; empty if it is missing or unreadable. */
export function mapOf(encoded: string | undefined): PhpMap {
  return (encoded && mapIn(encoded)) || new Map()
}

/** Parses an amount into hundredths like PHP: as a float, rounded; 0 for anything but a number. */
export function minorOf(amount: string): number {
  const [, sign = "", whole = "0", fraction = ""] = /^\s*([+-]?)(\d+)(?:\.(\d*))?/.exec(amount) ?? []
  const digits = `${fraction}000`
  const minor = Number(whole) * 100 + Number(digits.slice(0, 2)) + (Number(digits[2]) >= 5 ? 1 : 0)
  return sign === "-" ? -minor : minor
}

/** Formats an amount with two decimals and a point. */
export function decimal(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, "0")
  return `${minor < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
