import type { Instant } from "~/domain/calendar"
import { type Money, toDecimal } from "~/domain/money"

export function amount(money: Money): string {
  return `${toDecimal(money)} ${money.currency}`
}

/** An amount in `--json` output: `{ "amount": "12.00", "currency": "EUR" }`. */
export function jsonAmount(money: Money): { readonly amount: string; readonly currency: string } {
  return { amount: toDecimal(money), currency: money.currency }
}

/** An instant in `--json` output: `2026-06-15T12:00:00.000Z`. */
export function jsonTime(at: Instant): string {
  return new Date(at).toISOString()
}

/**
 * Control, format and surrogate characters, and line separators. `printable` keeps `\n` and `\t`: the CLI writes them.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Escapes control and format characters as JSON does (`\u001b`), so that text typed by a customer cannot move the
 * terminal's cursor, change colours or reverse the writing direction.
 */
export function printable(text: string): string {
  return text.replace(INVISIBLE, (it) => (it === "\n" || it === "\t" ? it : written(it)))
}

function written(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")
}

/** Appends one line for each warning. */
export function withWarnings(message: string, warnings: readonly string[]): string {
  return [message, ...warnings.map((it) => `Warning: ${it}`)].join("\n")
}

/** Formats an instant in UTC, to the minute: `2026-06-15 12:00`. */
export function time(at: Instant): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ")
}

/** A number of things: `1 service`, `2 services`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`
}
