import type { Instant } from "~/domain/calendar"
import { type Money, toDecimal } from "~/domain/money"

export function amount(money: Money): string {
  return `${toDecimal(money)} ${money.currency}`
}

/** Line breaks and tabs are ours. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Text as a terminal can show it whoever has typed it: what would move the cursor, change colours or turn the direction
 * of writing is written out, as JSON would write it.
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, (it) => (it === "\n" || it === "\t" ? it : written(it)))
}

function written(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")
}

/** To the minute, in UTC. */
export function time(at: Instant): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ")
}
