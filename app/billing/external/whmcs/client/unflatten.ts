/** Keys that would allow prototype pollution. */
const UNSAFE = new Set(["__proto__", "constructor", "prototype"])

type Nested = { [key: string]: unknown }

/**
 * Converts flattened keys, `{"currencies[currency][0][id]": "1"}`, to nested objects with numeric keys instead of
 * arrays. WHMCS documents this form for GetCurrencies, https://developers.whmcs.com/api-reference/getcurrencies/.
 * Other keys stay unchanged.
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
