import { decodeHTMLStrict } from "entities"

/** What `htmlspecialchars` never leaves behind: an angle bracket, or an ampersand that begins no entity. */
const PLAIN = /[<>]|&(?!(?:[a-z][a-z0-9]*|#\d+|#x[\da-f]+);)/i

/**
 * A text as it was entered. Installations are reported to give texts back HTML-encoded, others give them as they are:
 * one level of encoding is taken away, and a text that cannot be encoded stays as it is. The result is text, not HTML.
 */
export function decodeText(text: string): string {
  return PLAIN.test(text) ? text : decodeHTMLStrict(text)
}

/** The same for every text in a response; keys stay as they are. */
export function decodeTexts(value: unknown): unknown {
  if (typeof value === "string") return decodeText(value)
  if (Array.isArray(value)) return value.map(decodeTexts)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, decodeTexts(held)]))
}

/**
 * Whether a decoded text from WHMCS is the one we know, whatever its case. Ours may contain an entity as it stands,
 * `a&amp;b`, which decoding has taken away.
 */
export function matchesText(decoded: string, ours: string): boolean {
  const [text, ...forms] = [decoded, ours, decodeText(ours)].map((it) => it.trim().toLowerCase())
  return forms.some((form) => form === text)
}
