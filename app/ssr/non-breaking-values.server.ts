/** Elements that hold text and no other element. */
const TEXT_ONLY = /^<(?:title|style|script|option|textarea)\b/

/** A day, with a time of day or without one, and an amount below zero. */
const VALUE = /\d{4}-\d\d-\d\d(?: \d\d:\d\d)?|-[€£$]\d[\d,]*\.\d\d/g

/**
 * HTML in which no day and no amount below zero is broken, since a browser breaks a line after each hyphen where the screen is narrow.
 * `html`: as React writes it, whose attributes contain no angle bracket.
 */
export function withNonBreakingValues(html: string): string {
  let isText = false
  return html
    .split(/(<[^<>]*>)/)
    .map((part) => {
      if (!part.startsWith("<")) return isText ? part.replace(VALUE, '<span class="whole">$&</span>') : part
      isText = !TEXT_ONLY.test(part)
      return part
    })
    .join("")
}
