/**
 * Control, format and surrogate characters, and line separators. `printable` keeps `\n` and `\t`.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Escapes control and format characters as JSON does (`\u001b`), so that text written by others cannot move a
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
