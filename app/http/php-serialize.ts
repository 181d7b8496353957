export type PhpValue = string | number | boolean | null | ReadonlyMap<string, PhpValue>

/** Array keys that PHP converts to integers: "8" and "-5", not "08", "+1" or "-0". */
const INTEGER_KEY = /^(0|-?[1-9]\d{0,17})$/

/**
 * Serializes a value like PHP's `serialize`: strings with their length in bytes, integers, and maps in their order, with
 * integer keys where PHP has them.
 */
export function phpSerialize(value: PhpValue): string {
  if (value === null) return "N;"
  if (typeof value === "boolean") return `b:${value ? 1 : 0};`
  if (typeof value === "number") return Number.isInteger(value) ? `i:${value};` : `d:${value};`
  if (typeof value === "string") return `s:${Buffer.byteLength(value)}:"${value}";`
  const entries = [...value].map(([key, held]) => `${keyText(key)}${phpSerialize(held)}`)
  return `a:${entries.length}:{${entries.join("")}}`
}

function keyText(key: string): string {
  return INTEGER_KEY.test(key) ? `i:${key};` : phpSerialize(key)
}
