import { decodeHTMLStrict } from "entities"

/** Never in the output of PHP's `htmlspecialchars`: an angle bracket, or an ampersand that begins no entity. */
const PLAIN = /[<>]|&(?!(?:[a-z][a-z0-9]*|#\d+|#x[\da-f]+);)/i

/**
 * Decodes one level of HTML entities. Some installations return texts HTML-encoded, others return them plain; a text
 * that cannot be encoded stays unchanged. The result is plain text, not HTML.
 */
export function decodeText(text: string): string {
  return PLAIN.test(text) ? text : decodeHTMLStrict(text)
}

/** Decodes every string in a response, at any depth; keys stay unchanged. */
export function decodeTexts(value: unknown): unknown {
  if (typeof value === "string") return decodeText(value)
  if (Array.isArray(value)) return value.map(decodeTexts)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, decodeTexts(held)]))
}

/**
 * Whether a decoded text from WHMCS equals a local text, ignoring case and outer spaces. The local text is compared
 * decoded as well: if it contains an entity literally, `a&amp;b`, decoding removed it from WHMCS's text.
 */
export function matchesText(decoded: string, expected: string): boolean {
  const [text, ...forms] = [decoded, expected, decodeText(expected)].map((it) => it.trim().toLowerCase())
  return forms.some((form) => form === text)
}
