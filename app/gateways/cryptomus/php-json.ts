/**
 * Serializes JSON like PHP's `json_encode` with JSON_UNESCAPED_UNICODE: slashes, U+2028 and U+2029 are escaped, and
 * `{}` becomes `[]`, because PHP decodes both to an empty array. Numbers are formatted as in JavaScript (docs/gateways.md, Cryptomus).
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
