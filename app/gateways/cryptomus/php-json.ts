/**
 * JSON as PHP writes it with JSON_UNESCAPED_UNICODE: slashes and the two line separators escaped, `{}` as the empty
 * list it becomes on decoding. Numbers are written as JavaScript does (reference: cryptomus, section 5).
 */
export function phpJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isEmptyObject(part) ? [] : part))
    .replaceAll("/", "\\/")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029")
}

function isEmptyObject(part: unknown): boolean {
  return typeof part === "object" && part !== null && !Array.isArray(part) && Object.keys(part).length === 0
}
