/** A field of a posted form as PHP sees it: a text, or an array in submission order. */
export type Field = string | Fields
export type Fields = Map<string, Field>

/** Parses a form like PHP: `a[0]=1&a[x][y]=2` and `b[]=3` are arrays; the last of several equal names wins. */
export function parsePhpForm(body: string): Fields {
  const fields: Fields = new Map()
  for (const [name, value] of new URLSearchParams(body)) {
    const [first, ...path] = pathOf(name)
    if (first) put(fields, [first.replaceAll(/[ .]/g, "_"), ...path], value)
  }
  return fields
}

/** `a[x][]` is `a`, `x` and ""; text after an unclosed bracket is ignored. */
function pathOf(name: string): string[] {
  const match = /^([^[]+)((?:\[[^\]]*\])*)/.exec(name)
  const [, first = "", rest = ""] = match ?? []
  return [first, ...[...rest.matchAll(/\[([^\]]*)\]/g)].map(([, key = ""]) => key)]
}

function put(into: Fields, path: readonly string[], value: string): void {
  const [named = "", ...rest] = path
  const key = named === "" ? nextIndex(into) : named
  if (rest.length === 0) return void into.set(key, value)
  const existing = into.get(key)
  const inner: Fields = existing instanceof Map ? existing : new Map()
  into.set(key, inner)
  put(inner, rest, value)
}

function nextIndex(fields: Fields): string {
  const taken = [...fields.keys()].filter((key) => /^\d+$/.test(key)).map(Number)
  return String(Math.max(-1, ...taken) + 1)
}
