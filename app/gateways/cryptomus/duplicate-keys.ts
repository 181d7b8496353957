/** A JSON string, with the colon after it if it is a member name; or a bracket of an object or array. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g

/** Maximum nesting depth: far deeper than any callback, far below the recursion limit of the re-serialization. */
const DEEPEST = 32

/**
 * Returns why JSON text must be rejected even when signed: a duplicate member name or excessive nesting; null if
 * neither. Parsers differ in which duplicate they use, so the signer may have meant the other value. The text must be
 * valid JSON.
 */
export function findDuplicateKey(json: string): string | null {
  const open: Set<string>[] = []
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (text === undefined) follow(open, token)
    else if (colon !== undefined && !isFirst(open.at(-1), JSON.parse(text))) return "duplicate member name"
    if (open.length > DEEPEST) return "nested too deeply"
  }
  return null
}

function follow(open: Set<string>[], bracket: string): void {
  if (bracket === "{" || bracket === "[") open.push(new Set())
  else open.pop()
}

function isFirst(names: Set<string> | undefined, name: string): boolean {
  const before = names?.size
  return names?.add(name).size !== before
}
