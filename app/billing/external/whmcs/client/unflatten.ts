/** Keys that would reach into JavaScript's own objects. */
const UNSAFE = new Set(["__proto__", "constructor", "prototype"])

type Nested = { [key: string]: unknown }

/**
 * Some versions answer with flattened keys, `{"currencies[currency][0][id]": "1"}` (reference, section 3): gives the
 * nested form, with numeric keys in place of arrays. Other keys stay as they are.
 */
export function unflattened(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Object.keys(body).some((key) => key.includes("["))) return body
  const nested: Nested = {}
  for (const [key, value] of Object.entries(body)) put(nested, pathOf(key), value)
  return nested
}

function pathOf(key: string): string[] {
  const [first = "", ...rest] = key.split("[")
  return [first, ...rest.map((it) => it.replace(/\]$/, ""))]
}

function put(into: Nested, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (UNSAFE.has(key)) return
  if (rest.length === 0) {
    into[key] = value
    return
  }
  const existing = into[key]
  const inner: Nested = isNested(existing) ? existing : {}
  into[key] = inner
  put(inner, rest, value)
}

function isNested(value: unknown): value is Nested {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
